"""Plan an audit, run it, and pick up where an earlier run was stopped."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy.typing as npt

import vestige
from vestige.audit.gate import parse_gate
from vestige.audit.looked_over import looked_over
from vestige.audit.result import SCHEMA, AuditResult
from vestige.audit.verdict import judge
from vestige.case.cache import remembered
from vestige.case.findings import Finding, NotApplicable
from vestige.case.inputs import TextSource, check_asked, read_inputs
from vestige.case.prepare import prepare
from vestige.case.settings import Settings
from vestige.files import check_writable
from vestige.probes.plan import PROBES, chosen_probes
from vestige.types import Encoder, Progress, silent


def audit(
    vectors: str | Path | npt.ArrayLike | None = None,
    *,
    texts: TextSource | None = None,
    encoder: str | Encoder | None = None,
    auxiliary: TextSource | None = None,
    trained_on: TextSource | None = None,
    settings: Settings | None = None,
    fail_on: Sequence[str] = (),
    cache: str | Path | None = None,
    send: bool = False,
    progress: Progress = silent,
) -> AuditResult:
    """What could a stranger read out of these vectors?

    Give `vectors` and the `texts` behind them (row by row), or `texts` and the `encoder` that would embed them. With
    nothing at all the embedded corpus and encoder are audited. `auxiliary` is text from elsewhere for an adversary who
    has none of yours. `trained_on` is the text that the encoder learned from, where it did and you know. `fail_on` sets
    limits such as "words>0.30". `cache` is a folder in which vectors and findings are kept, so that a run that was
    stopped goes on where it was. Without leave to `send`, texts never go to an encoder on another machine.
    """
    settings = settings or Settings()
    check_asked(settings)
    asked = chosen_probes(settings.probes)
    gates = [parse_gate(expression, PROBES) for expression in fail_on]
    folder = Path(cache) if cache is not None else None
    inputs = read_inputs(vectors, texts, encoder, auxiliary, settings, trained_on=trained_on)
    if folder is not None:
        check_writable(folder)
        inputs = inputs.remembering(folder / "vectors")
    case = prepare(inputs, settings, progress, send=send)
    looked = looked_over(inputs, settings, send=send, progress=progress)
    alike = replace(settings, probes=())
    outcomes = [
        remembered(probe, case, alike, progress, folder / "findings")
        if folder is not None
        else probe.run(case, alike, progress)
        for probe in asked
    ]
    findings = tuple(outcome for outcome in outcomes if isinstance(outcome, Finding))
    not_run = tuple(outcome for outcome in outcomes if isinstance(outcome, NotApplicable))
    return AuditResult(
        SCHEMA,
        vestige.__version__,
        judge(findings, not_run, looked),
        findings,
        not_run,
        tuple(gate.check(findings) for gate in gates),
        case.subject,
        settings,
        looked,
    )
