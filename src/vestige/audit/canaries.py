"""Plant made-up secrets in texts before an encoder is trained on them (Carlini et al. 2019)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from vestige.case.codec import dumps, from_plain, to_plain
from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.memory import check_memory, read_file
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.text.canaries import SecretSpace, make_canaries, plant
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.patterns import Pattern, load_pattern

FORMAT = "vestige-canaries-1"


@dataclass(frozen=True, slots=True)
class PlantedSecret:
    """A secret that was planted `times` times after its `prompt`, and one that was `never` planted."""

    prompt: str
    secret: str
    times: int
    never: str


@dataclass(frozen=True, slots=True)
class CanaryKey:
    """The pattern of the secrets, the seed, and which secret was planted how often."""

    pattern: Pattern
    seed: int
    secrets: tuple[PlantedSecret, ...]


def serialize_key(key: CanaryKey) -> bytes:
    """The key as JSON, with its format and a digest that detects damage."""
    plain = to_plain(key)
    return dumps({"format": FORMAT, "sha256": _digest(plain), "key": plain}).encode()


def read_key(path: Path) -> CanaryKey:
    """Read a key that `serialize_key` made; one that is damaged, changed or of another version is refused."""
    remedy = "expected a key that `vestige canaries plant` wrote"
    try:
        written = json.loads(read_file(path).decode("utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path} does not exist; {remedy}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); {remedy}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is truncated or not JSON ({error}); {remedy}") from error
    found = written.get("format") if isinstance(written, dict) else None
    if found != FORMAT:
        raise InputError(f"{path} is of format {found or 'unknown'}, this version reads {FORMAT}; plant again with it")
    if written.get("sha256") != _digest(written.get("key")):
        raise InputError(f"{path} was changed after it was written; {remedy}, unchanged")
    return from_plain(CanaryKey, written["key"])


def _digest(plain: Any) -> str:
    return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


TIMES = (1, 4, 16, 64)
EACH = 20


@dataclass(frozen=True, slots=True)
class PlantedCorpus:
    """The texts with the canaries among them, and the key that identifies these."""

    corpus: Corpus
    key: CanaryKey


def plant_canaries(
    texts: Corpus | str | Path,
    pattern: Pattern | str | Path = "pass-phrase",
    *,
    times: Sequence[int] = TIMES,
    each: int = EACH,
    seed: int = 0,
) -> PlantedCorpus:
    """Plant `each` made-up secrets of a pattern for each count in `times`, every one with an owner of its own.

    The key also names as many secrets that were never planted.
    """
    corpus = texts if isinstance(texts, Corpus) else load_corpus(texts)
    made_after = pattern if isinstance(pattern, Pattern) else load_pattern(pattern)
    _check(made_after, times, each)
    longest = max(map(len, corpus.texts[:1000]), default=0) + 100
    check_memory(sum(times) * each * (longest + 200), "planting these secrets", "lower --times or --each")
    canaries = make_canaries(made_after, len(times) * each, stream(seed, "canaries"))
    counts = [count for count in sorted(times) for _ in range(each)]
    taken = {canary.secret for canary in canaries}
    space = SecretSpace.build(made_after)
    if space.size < 2 * len(canaries):
        raise InputError(
            f"pattern '{made_after.name}' has {space.size:,} secrets; {len(canaries):,} to plant and as many never "
            "planted need more; plant fewer with --each or --times"
        )
    drawn = space.draw(2 * len(canaries), stream(seed, "never planted"))
    never = [secret for secret in drawn if secret not in taken]
    secrets = tuple(
        PlantedSecret(canary.prompt, canary.secret, count, other)
        for canary, count, other in zip(canaries, counts, never[: len(canaries)], strict=True)
    )
    planted = plant(corpus, canaries, counts, stream(seed, "places"))
    return PlantedCorpus(planted, CanaryKey(made_after, seed, secrets))


def _check(pattern: Pattern, times: Sequence[int], each: int) -> None:
    if not pattern.secret:
        raise InputError(f"pattern '{pattern.name}' has no secret field; name the fields to plant: secret = [...]")
    if not times or min(times) < 0 or max(times) < 1 or len(set(times)) < len(times):
        raise InputError(f"times {list(times)}; expected whole numbers of 0 or more, all different, such as 1, 4, 16")
    if each < FEWEST_DOCUMENTS:
        raise InputError(f"{each} canaries of each kind are too few for an interval; expected {FEWEST_DOCUMENTS}")
