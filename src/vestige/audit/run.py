"""Plan an audit, run its probes, and resume a run that was stopped."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy.typing as npt

import vestige
from vestige.audit.gate import parse_gate
from vestige.audit.result import SCHEMA, AuditResult
from vestige.audit.verdict import judge
from vestige.case.cache import compute_digest, read_record
from vestige.case.case import Case
from vestige.case.codec import dumps
from vestige.case.findings import Finding, NotApplicable
from vestige.case.inputs import TextSource, check_settings, read_inputs
from vestige.case.prepare import CasePlan, check_consent, plan_case
from vestige.case.settings import Settings
from vestige.files import check_writable, write_whole
from vestige.preflight.run import list_spot_check_texts, run_preflight
from vestige.probes.plan import choose_probes, list_probes
from vestige.probes.probe import Probe, Run
from vestige.text.patterns import load_pattern
from vestige.text.tagger import find_model
from vestige.types import Encoder, Progress, silent

log = logging.getLogger(__name__)


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
    """Measure what an attacker could recover from these vectors.

    Give `vectors` and their `texts` (row by row), or `texts` and the `encoder` that would embed them. Without any input
    the embedded example is audited. `auxiliary` is cross-domain text, for an adversary who has none of the owner's
    kind. `trained_on` is the text that the encoder was trained on, if it is known. `fail_on` sets limits such as
    "words>0.30". `cache` is a folder for vectors and findings, so that a run that was stopped can be resumed. Texts go
    to an encoder on another machine only with `send`.
    """
    settings = settings or Settings()
    check_settings(settings)
    probes = choose_probes(settings.probes)
    gates = [parse_gate(expression, list_probes()) for expression in fail_on]
    inputs = read_inputs(vectors, texts, encoder, auxiliary, settings, trained_on=trained_on)
    folder = None if cache is None else Path(cache)
    if folder is not None:
        check_writable(folder)
        inputs = inputs.cache_vectors(folder / "vectors")
    plan = plan_case(inputs, settings)
    queries: Iterable[str] = estimate_queries(probes, plan) if isinstance(plan, CasePlan) else ()
    check_consent(plan, queries, list_spot_check_texts(inputs), send=send)
    preflight = run_preflight(inputs, settings, send=send, progress=progress)
    case, run = plan.build(progress), Run(settings, progress)
    outcomes = [
        probe.run(case, run) if folder is None else run_cached(probe, case, run, folder / "findings")
        for probe in probes
    ]
    findings = tuple(outcome for outcome in outcomes if isinstance(outcome, Finding))
    not_run = tuple(outcome for outcome in outcomes if isinstance(outcome, NotApplicable))
    return AuditResult(
        SCHEMA,
        vestige.__version__,
        judge(findings, not_run, preflight),
        findings,
        not_run,
        tuple(gate.check(findings) for gate in gates),
        case.subject,
        settings,
        preflight,
    )


def estimate_queries(probes: Sequence[Probe], plan: CasePlan) -> Iterator[str]:
    """Texts like those that the probes may query."""
    return (text for probe in probes for text in probe.estimate_queries(plan))


def run_cached(probe: Probe, case: Case, run: Run, folder: Path) -> Finding | NotApplicable:
    """The probe's finding, read from `folder` if the same probe ran on the same case with the same code and settings.

    The choice of probes is not part of the key. Findings that show text are not cached: the owner asked to see the text
    once, not to store it.
    """
    settings = replace(run.settings, probes=())
    patterns = [load_pattern(pattern) for pattern in settings.patterns]
    path = folder / f"{probe.name}-{compute_digest(probe, settings, case, patterns, find_model())}.json"
    if path.is_file():
        log.info("%s: finding read from %s", probe.name, path)
        return read_record(Finding, path)
    outcome = probe.run(case, run)
    if isinstance(outcome, Finding) and not settings.show_text:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, dumps(outcome).encode())
    return outcome
