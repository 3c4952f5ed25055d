"""Plan an audit, run it, and pick up where an earlier run was stopped."""

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

import vestige
from vestige.audit.case import Case
from vestige.audit.codec import dumps, from_plain
from vestige.audit.gate import parse_gate
from vestige.audit.inputs import TextSource, read_inputs
from vestige.audit.prepare import prepare
from vestige.audit.result import SCHEMA, AuditResult, Finding, NotApplicable
from vestige.audit.settings import Settings
from vestige.audit.verdict import judge
from vestige.audit.words_probe import PROBES, WordsProbe
from vestige.files import check_writable, write_whole
from vestige.types import Encoder, Progress, silent

log = logging.getLogger(__name__)


def audit(
    vectors: str | Path | npt.ArrayLike | None = None,
    *,
    texts: TextSource | None = None,
    encoder: str | Encoder | None = None,
    auxiliary: TextSource | None = None,
    settings: Settings | None = None,
    fail_on: Sequence[str] = (),
    cache: str | Path | None = None,
    progress: Progress = silent,
) -> AuditResult:
    """What could a stranger read out of these vectors?

    Give `vectors` and the `texts` behind them (row by row), or `texts` and the `encoder` that would embed them. With
    nothing at all the embedded corpus and encoder are audited. `auxiliary` is text from elsewhere for an adversary who
    has none of yours. `fail_on` sets limits such as "words>0.30". `cache` is a folder in which vectors and findings
    are kept, so that a run that was stopped goes on where it was.
    """
    settings = settings or Settings()
    gates = [parse_gate(expression, [probe.name for probe in PROBES]) for expression in fail_on]
    folder = Path(cache) if cache is not None else None
    inputs = read_inputs(vectors, texts, encoder, auxiliary, settings)
    if folder is not None:
        check_writable(folder)
        inputs = inputs.remembering(folder / "vectors")
    case = prepare(inputs, settings, progress)
    outcomes = [_answered(probe, case, settings, folder, progress) for probe in PROBES]
    findings = tuple(outcome for outcome in outcomes if isinstance(outcome, Finding))
    not_run = tuple(outcome for outcome in outcomes if isinstance(outcome, NotApplicable))
    return AuditResult(
        SCHEMA,
        vestige.__version__,
        judge(findings, not_run),
        findings,
        not_run,
        tuple(gate.check(findings) for gate in gates),
        case.subject,
        asdict(settings),
    )


def _answered(
    probe: WordsProbe, case: Case, settings: Settings, folder: Path | None, progress: Progress
) -> Finding | NotApplicable:
    """The probe's answer, from the cache where this very question was answered before."""
    if folder is None:
        return probe.run(case, settings, progress)
    place = folder / "findings" / f"{probe.name}-{_question_digest(probe, case, settings)}.json"
    if place.is_file():
        log.info("%s answered from %s", probe.name, place)
        return from_plain(Finding, json.loads(place.read_text(encoding="utf-8")))
    outcome = probe.run(case, settings, progress)
    if isinstance(outcome, Finding):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, dumps(outcome).encode())
    return outcome


def _question_digest(probe: WordsProbe, case: Case, settings: Settings) -> str:
    """Everything an answer depends on: the code, the settings, the vectors, the texts."""
    digest = hashlib.sha256(_code_digest().encode())
    parts: list[object] = [probe, settings, case.truth, case.subject, case.missing]
    matrices = [case.targets]
    for pairs in (case.auxiliary[domain] for domain in sorted(case.auxiliary) if domain == probe.domain):
        parts += [pairs.texts, pairs.source, pairs.queries]
        matrices.append(pairs.vectors)
    digest.update(repr(parts).encode("utf-8", "surrogatepass"))
    for matrix in matrices:
        digest.update(np.ascontiguousarray(matrix).tobytes())
    return digest.hexdigest()[:32]


@cache
def _code_digest() -> str:
    """A finding is reused only by the code that made it; how it is shown does not count."""
    root = Path(vestige.__file__).parent
    shown = {root / "report", root / "cli"}
    sources = sorted(path for path in root.rglob("*.py") if path.parent not in shown)
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
