"""Findings on disk, so that a question once answered is not asked again."""

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
from vestige.case.case import Case
from vestige.case.codec import Record, dumps, from_plain
from vestige.case.findings import Finding, NotApplicable
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.files import write_whole
from vestige.probes.probe import Probe
from vestige.text.patterns import load_pattern
from vestige.text.tagger import model_here
from vestige.types import Progress

LIBRARIES = ("numpy", "scipy", "scikit-learn", "torch")

log = logging.getLogger(__name__)


def remembered(
    probe: Probe, case: Case, settings: Settings, progress: Progress, folder: Path
) -> Finding | NotApplicable:
    """The probe's answer, from `folder` where this very question was answered before.

    Findings that show text are not kept: the owner asked to see it once, not to have it lie about.
    """
    patterns = [load_pattern(pattern) for pattern in settings.patterns]
    place = folder / f"{probe.name}-{digest_of(probe, settings, case, patterns, model_here())}.json"
    if place.is_file():
        log.info("%s answered from %s", probe.name, place)
        return recalled(Finding, place)
    outcome = probe.run(case, settings, progress)
    if isinstance(outcome, Finding) and not settings.show_text:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(place, dumps(outcome).encode())
    return outcome


def recalled(kind: type[Record], place: Path) -> Record:
    """The record that was kept in a file."""
    try:
        return from_plain(kind, json.loads(place.read_text(encoding="utf-8")))
    except (ValueError, InputError) as error:
        raise InputError(f"{place} is damaged ({error}); delete it, the question will be asked again") from error


def digest_of(*parts: Any) -> str:
    """A digest of everything an answer depends on: the code, the libraries, and all that these parts hold."""
    digest = hashlib.sha256(_code().encode())
    for part in (*map(version, LIBRARIES), *chain.from_iterable(map(_leaves, parts))):
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else dumps(part).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:32]


def _leaves(value: Any) -> Iterator[Any]:
    """A record taken apart, so that no field of it, now or later, is left out of the digest."""
    if is_dataclass(value):
        for field in fields(value):
            yield field.name
            yield from _leaves(getattr(value, field.name))
    elif isinstance(value, dict):
        for key in sorted(value):
            yield key
            yield from _leaves(value[key])
    elif hasattr(value, "identity"):
        yield value.identity
    else:
        yield value


@cache
def _code() -> str:
    """A finding is reused only by the code that made it, its word lists included; how it is shown does not count."""
    root = Path(vestige.__file__).parent
    shown = {root / "report", root / "cli"}
    sources = sorted(
        path for path in root.rglob("*") if path.suffix in (".py", ".toml", ".txt") and path.parent not in shown
    )
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
