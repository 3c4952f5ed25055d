"""What was planted, kept apart from the texts: without it no canary can be told from a letter."""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from vestige.case.codec import dumps, from_plain, to_plain
from vestige.errors import InputError
from vestige.text.patterns import Pattern

FORMAT = "vestige-canaries-1"


@dataclass(frozen=True, slots=True)
class PlantedSecret:
    """A secret that stands `times` in the texts after its `prompt`, and one beside it that was `never` planted."""

    prompt: str
    secret: str
    times: int
    never: str


@dataclass(frozen=True, slots=True)
class CanaryKey:
    """The pattern with all it takes to list its secrets, the seed, and what was planted how often."""

    pattern: Pattern
    seed: int
    secrets: tuple[PlantedSecret, ...]


def key_bytes(key: CanaryKey) -> bytes:
    """The key as JSON, with its format and a digest by which damage is found."""
    plain = to_plain(key)
    return dumps({"format": FORMAT, "sha256": _digest(plain), "key": plain}).encode()


def read_key(path: Path) -> CanaryKey:
    """The key that `key_bytes` gave; one that is damaged, changed or of another version is refused."""
    remedy = "expected a key that `vestige canaries plant` wrote"
    try:
        written = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path} is not there; {remedy}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); {remedy}") from error
    except ValueError as error:
        raise InputError(f"{path} is cut short or is no JSON ({error}); {remedy}, whole") from error
    found = written.get("format") if isinstance(written, dict) else None
    if found != FORMAT:
        raise InputError(f"{path} is of format {found or 'unknown'}, this version reads {FORMAT}; plant again with it")
    if written.get("sha256") != _digest(written.get("key")):
        raise InputError(f"{path} was changed after it was written; {remedy}, as it was")
    return from_plain(CanaryKey, written["key"])


def _digest(plain: Any) -> str:
    return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
