"""Plan an audit, run its probes, and resume a run that was stopped."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

import numpy.typing as npt

import vestige
from vestige.audit.estimate import USUAL, estimate, measure_speed
from vestige.audit.first_look import FirstLook, take_first_look
from vestige.audit.gate import Gate, parse_gate
from vestige.audit.result import SCHEMA, AuditResult, GateOutcome
from vestige.audit.run_probes import run_probes
from vestige.audit.verdict import Scope, judge
from vestige.case.case import Case
from vestige.case.findings import Finding, NotApplicable, Subject
from vestige.case.inputs import TextSource, check_settings, read_inputs
from vestige.case.inverter import identify_inverter
from vestige.case.prepare import CasePlan, check_consent, plan_case
from vestige.case.settings import Settings
from vestige.case.vectors_only import VectorsOnlyPlan
from vestige.encoders.ahead import encode_ahead
from vestige.encoders.cached import list_uncached
from vestige.encoders.endpoint.encoder import refuse_on_cluster
from vestige.engine.job import Engine
from vestige.engine.local_engine import LOCAL
from vestige.errors import InputError
from vestige.files import check_writable
from vestige.preflight import Preflight
from vestige.preflight.run import list_spot_check_texts, run_preflight
from vestige.probes.plan import check_recipe, choose_probes, list_probes
from vestige.probes.probe import Probe, Run
from vestige.types import Encoder, Progress, silent

log = logging.getLogger(__name__)

FIRST = "words"
"""The probe that a first look is taken for."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """What a caller sees while an audit runs.

    `start` is called once the inputs are known to be usable, before any long work. `say` receives sentences, such as an
    estimate. `update` receives the result so far: after a first look, before the first probe, and after every one. Its
    `pending` names the probes that have not run.
    """

    say: Callable[[str], None] = lambda _sentence: None
    update: Callable[[AuditResult], None] = lambda _result: None
    start: Callable[[], None] = lambda: None


UNWATCHED = Watcher()


@dataclass
class AuditState:
    """The probes of an audit, notes on its texts, and the outcomes of the probes that have run."""

    settings: Settings
    gates: tuple[Gate, ...]
    probes: tuple[Probe, ...]
    preflight: Preflight | None
    notes: tuple[str, ...] = ()
    look: FirstLook | None = None
    outcomes: list[Finding | NotApplicable] = field(default_factory=list)

    def add(self, outcome: Finding | NotApplicable) -> None:
        """Add the outcome of the next probe."""
        self.outcomes.append(outcome)

    def _describe_scope(self) -> Scope:
        chosen = {probe.name for probe in self.probes}
        not_asked = tuple(probe.name for probe in list_probes() if probe.name not in chosen)
        weakness = self.settings.describe_weakness()
        bound = (f"Lower bound: the attacker has {weakness}. A standard one recovers more.",) if weakness else ()
        return Scope(len(self.probes), not_asked, (*self.notes, *bound), self._list_pending())

    def _check_gates(self, findings: Sequence[Finding], pending: Sequence[str]) -> Iterator[GateOutcome]:
        """Every gate; one that holds says so if a standard attacker could break it."""
        weakness = self.settings.describe_weakness()
        for gate in self.gates:
            outcome = gate.check(findings, pending)
            bound = f"{outcome.explanation}; a lower bound, since the attacker has {weakness}"
            yield replace(outcome, explanation=bound) if outcome.held and weakness else outcome

    def _list_pending(self) -> tuple[str, ...]:
        return tuple(probe.name for probe in self.probes[len(self.outcomes) :])

    def build_result(self, subject: Subject) -> AuditResult:
        """The result so far."""
        findings = tuple(outcome for outcome in self.outcomes if isinstance(outcome, Finding))
        not_run = tuple(outcome for outcome in self.outcomes if isinstance(outcome, NotApplicable))
        pending = self._list_pending()
        verdict = judge(findings, not_run, self.preflight, self._describe_scope())
        if self.look is not None and FIRST in pending:
            sentence = f"{str(self.look)[0].upper()}{str(self.look)[1:]}."
            verdict = replace(verdict, sentences=(sentence, *verdict.sentences))
        return AuditResult(
            SCHEMA,
            vestige.__version__,
            verdict,
            findings,
            not_run,
            tuple(self._check_gates(findings, pending)),
            subject,
            self.settings,
            self.preflight,
            pending,
        )


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
    engine: Engine = LOCAL,
    progress: Progress = silent,
    watcher: Watcher = UNWATCHED,
) -> AuditResult:
    """Measure what an attacker could recover from these vectors.

    Give `vectors` and their `texts` (row by row), or `texts` and the `encoder` that would embed them. Without any input
    the embedded example is audited. `auxiliary` is cross-domain text, for an adversary who has none of the owner's
    kind. `trained_on` is the text that the encoder was trained on, if it is known. `fail_on` sets limits such as
    "words>0.30". `cache` is a folder for vectors and findings, so that a run that was stopped can be resumed. Texts go
    to an encoder on another machine only with `send`. The `engine` runs the probes. `watcher` receives every conclusion
    as soon as it is reached.
    """
    settings = settings or Settings()
    check_settings(settings)
    probes = choose_probes(settings.probes)
    check_recipe(settings.recipe)
    identify_inverter(settings)
    if isinstance(fail_on, str):
        raise InputError(f"fail_on is {fail_on!r}; expected a list of gates, such as [{fail_on!r}]")
    gates = [parse_gate(expression, list_probes()) for expression in fail_on]
    _check_gated(gates, probes)
    inputs = read_inputs(vectors, texts, encoder, auxiliary, settings, trained_on=trained_on)
    refuse_on_cluster(inputs.encoder, engine)
    folder = None if cache is None else Path(cache)
    if folder is not None:
        check_writable(folder)
        inputs = inputs.cache_vectors(folder / "vectors")
    plan = plan_case(inputs, settings)
    queries: Iterable[str] = estimate_queries(probes, plan) if isinstance(plan, CasePlan) else ()
    check_consent(plan, queries, list_spot_check_texts(inputs), send=send)
    preflight = run_preflight(inputs, settings, send=send, progress=progress)
    watcher.start()
    notes = plan.describe_texts() if isinstance(plan, CasePlan) else ()
    state = AuditState(settings, tuple(gates), probes, preflight, notes)
    findings = None if folder is None else folder / "findings"
    return _run_probes(state, plan, Run(settings, progress), findings, watcher, engine)


def _run_probes(
    state: AuditState,
    plan: CasePlan | VectorsOnlyPlan,
    run: Run,
    findings: Path | None,
    watcher: Watcher,
    engine: Engine,
) -> AuditResult:
    """Encode and attack; `findings` is the folder of findings that were made before."""
    wants_look = isinstance(plan, CasePlan) and _wants_first_look(state.probes, plan, findings)

    def announce(probe: Probe) -> None:
        expected = estimate(probe, plan, speed) if probe.has_recipe(run.settings) else None
        if expected is not None:
            watcher.say(f"{probe.name}: {expected}")

    ahead = None if engine.is_cluster else plan.inputs.encoder
    with encode_ahead(ahead, list_known_texts(state.probes, plan)):
        if isinstance(plan, CasePlan) and wants_look:
            state.look = take_first_look(plan, run)
        if state.look is not None:
            watcher.say(str(state.look))
            watcher.update(state.build_result(state.look.case.subject))
        case, speed = _build_case(plan, run, state.look)
        watcher.update(state.build_result(case.subject))
        for outcome in run_probes(state.probes, case, run, findings, engine=engine, announce=announce):
            state.add(outcome)
            watcher.update(state.build_result(case.subject))
    return state.build_result(case.subject)


def _check_gated(gates: Sequence[Gate], probes: Sequence[Probe]) -> None:
    """Raise if a gate is on a probe that will not run: it would fail after the whole audit."""
    chosen = {probe.name for probe in probes}
    for gate in gates:
        if gate.probe not in chosen:
            raise InputError(
                f"gate '{gate.expression}' needs the probe '{gate.probe}', which will not run; "
                f"add --probe {gate.probe}, or drop the gate"
            )


def _wants_first_look(probes: Sequence[Probe], plan: CasePlan, findings: Path | None) -> bool:
    """If words are asked for, texts must be encoded first, and what is encoded for the look is kept for the audit.

    A published attack may train for long, and is not trained twice.
    """
    encoder = plan.inputs.encoder
    if encoder is None or findings is None or plan.settings.recipe != "default" or probes[0].name != FIRST:
        return False
    return bool(list_uncached(encoder, plan.texts_to_encode))


def _build_case(plan: CasePlan | VectorsOnlyPlan, run: Run, look: FirstLook | None) -> tuple[Case, float]:
    """Encode what a first look has not encoded; and the characters that are encoded per second."""
    if not isinstance(plan, CasePlan):
        return plan.build(run.progress), USUAL
    if look is not None:
        return plan.build(run.progress, look.case.encoder), look.speed
    started = monotonic()
    case = plan.build(run.progress)
    return case, measure_speed(sum(map(len, plan.texts_to_encode)), monotonic() - started)


def estimate_queries(probes: Sequence[Probe], plan: CasePlan) -> Iterator[str]:
    """Texts like those that the probes may query."""
    return (text for probe in probes for text in probe.estimate_queries(plan))


def list_known_texts(probes: Sequence[Probe], plan: CasePlan | VectorsOnlyPlan) -> Iterator[Sequence[str]]:
    """The texts that an audit will encode, as far as they are known before it attacks, in the order of their use."""
    if not isinstance(plan, CasePlan):
        return
    yield plan.texts_to_encode
    for probe in probes:
        if plan.no_queries is None and probe.has_recipe(plan.settings) and probe.can_apply(plan):
            yield probe.list_known_queries(plan)
