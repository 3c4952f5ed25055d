"""Findings on disk, so that a question once answered is not asked again."""

import hashlib
import json
import logging
from functools import cache
from pathlib import Path

import numpy as np

import vestige
from vestige.audit.case import Case
from vestige.audit.codec import dumps, from_plain
from vestige.audit.probe import Probe
from vestige.audit.result import Finding, NotApplicable
from vestige.audit.settings import Settings
from vestige.files import write_whole
from vestige.types import Progress

log = logging.getLogger(__name__)


def remembered(
    probe: Probe, case: Case, settings: Settings, progress: Progress, folder: Path
) -> Finding | NotApplicable:
    """The probe's answer, from `folder` where this very question was answered before."""
    place = folder / f"{probe.name}-{_question(probe, case, settings)}.json"
    if place.is_file():
        log.info("%s answered from %s", probe.name, place)
        return from_plain(Finding, json.loads(place.read_text(encoding="utf-8")))
    outcome = probe.run(case, settings, progress)
    if isinstance(outcome, Finding):
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(place, dumps(outcome).encode())
    return outcome


def _question(probe: Probe, case: Case, settings: Settings) -> str:
    """A digest of everything an answer depends on: the code, the settings, the texts, the vectors."""
    pairs = [case.auxiliary[domain] for domain in sorted(case.auxiliary)]
    words = [probe, settings, case.truth, case.subject, [(held.texts, held.source, held.queries) for held in pairs]]
    digest = hashlib.sha256(_code().encode())
    digest.update(repr(words).encode("utf-8", "surrogatepass"))
    for matrix in [case.targets, *(held.vectors for held in pairs)]:
        digest.update(np.ascontiguousarray(matrix).tobytes())
    return digest.hexdigest()[:32]


@cache
def _code() -> str:
    """A finding is reused only by the code that made it; how it is shown does not count."""
    root = Path(vestige.__file__).parent
    shown = {root / "report", root / "cli"}
    sources = sorted(path for path in root.rglob("*.py") if path.parent not in shown)
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
