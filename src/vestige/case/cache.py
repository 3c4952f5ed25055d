"""Cached results: their keys, which digest the code, the libraries and the inputs; writing and reading a record."""

import hashlib
import json
import logging
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

import vestige
from vestige.case.codec import Record, dumps, from_plain
from vestige.errors import InputError
from vestige.files import make_folder, write_whole
from vestige.memory import read_file
from vestige.registry import list_plugins

log = logging.getLogger(__name__)

PRESENTATION = {"cli", "config", "report", "view"}
"""Packages that show results, and on which no result depends."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "torch")


def read_record(kind: type[Record], place: Path) -> Record:
    """The record that was written to a file."""
    try:
        return from_plain(kind, json.loads(read_file(place).decode("utf-8")))
    except (ValueError, RecursionError, InputError) as error:
        raise InputError(f"{place} is damaged ({error}); delete it, and run the same command again") from error


def write_cached(record: Any, place: Path) -> None:
    """Write a record for a later run, with a digest of its bytes."""
    written = dumps(record)
    make_folder(place.parent)
    write_whole(place, f"{hashlib.sha256(written.encode()).hexdigest()}\n{written}".encode())


def read_cached(kind: type[Record], place: Path) -> Record | None:
    """The record that `write_cached` wrote; None if there is none, or if the file was changed since."""
    try:
        digest, _, written = read_file(place).decode("utf-8").partition("\n")
        if digest == hashlib.sha256(written.encode()).hexdigest():
            return from_plain(kind, json.loads(written))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError, InputError) as error:
        log.debug("%s cannot be read (%s)", place, error)
    log.warning("%s was changed after it was written; it is computed again", place)
    return None


def compute_digest(*parts: Any) -> str:
    """A digest of everything that a result depends on: the code, the libraries, and all fields of these parts."""
    digest = hashlib.sha256(_hash_code().encode())
    for part in (*map(version, LIBRARIES), list_plugins(), *chain.from_iterable(map(_list_leaves, parts))):
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else dumps(part).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:32]


def _list_leaves(value: Any) -> Iterator[Any]:
    """The fields of a record, so that every field, also one that is added later, is part of the digest."""
    if is_dataclass(value):
        yield type(value).__qualname__
        for field in fields(value):
            yield field.name
            yield from _list_leaves(getattr(value, field.name))
    elif isinstance(value, dict):
        for key in sorted(value):
            yield key
            yield from _list_leaves(value[key])
    elif hasattr(value, "identity"):
        yield value.identity
    else:
        yield value


@cache
def _hash_code() -> str:
    """A digest of the code and word lists that can change a finding; pages and commands are not among them."""
    root = Path(vestige.__file__).parent
    sources = sorted(
        path
        for path in root.rglob("*")
        if path.suffix in (".py", ".toml", ".txt") and path.relative_to(root).parts[0] not in PRESENTATION
    )
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
