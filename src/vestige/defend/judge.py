"""Judge a defense by its output: raw and protected vectors in, leakage, utility and a place among our defenses out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy.typing as npt

import vestige
from vestige.case.inputs import TextSource, check_settings, read_inputs
from vestige.case.prepare import CasePlan, plan_case
from vestige.case.settings import Settings
from vestige.case.source import describe_source
from vestige.defend import REFERENCES
from vestige.defend.build_result import build_result
from vestige.defend.candidates import list_candidates
from vestige.defend.judge_record import JUDGED, SCHEMA, UNNAMED, Effect, JudgeResult, Label, ProbeEffect
from vestige.defend.record import UNDEFENDED, DefendResult, DefenseTrial, ProbeLeakage
from vestige.defend.recorded import RecordedMap
from vestige.defend.request import SweepRequest
from vestige.defend.run import add_task, memoize_encoder, prepare_sweep
from vestige.defend.stages import OBSCURE, is_obscurity
from vestige.defend.thief import NAME as THIEF
from vestige.errors import InputError
from vestige.probes.plan import choose_probes
from vestige.probes.probe import Run
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
from vestige.stores.vector_checks import as_checked_vectors
from vestige.types import Progress, Score, Vectors, silent

VectorSource = str | Path | npt.ArrayLike


def judge(
    raw: VectorSource,
    protected: VectorSource,
    *,
    texts: TextSource | None = None,
    queries: VectorSource | None = None,
    defenses: str | None = REFERENCES,
    task: str | None = None,
    settings: Settings | None = None,
    progress: Progress = silent,
) -> JudgeResult:
    """Judge any defense as a black box, by the same code as `defend`.

    Row by row, `raw` and `protected` are the vectors of the same `texts` before and after the defense; their number of
    columns may differ. `queries` are the same rows as a search query is protected, for a scheme that treats queries
    differently; without them the protected rows are the queries too. `defenses` are those of ours to compare with, or
    None for none. The probes of `settings` judge; without any, all that need no encoder behind the defense do.
    """
    settings = settings or Settings()
    check_settings(settings)
    inputs = read_inputs(raw, texts, None, None, settings)
    defense = _read_tables(raw, protected, queries, settings)
    chosen = settings.probes or tuple(probe.name for probe in choose_probes(()))
    request = SweepRequest((), defenses, task, draws=1, halving=False, chosen=chosen, thief=True)
    plan = plan_case(inputs, add_task(inputs, settings, task))
    assert isinstance(plan, CasePlan)
    case = memoize_encoder(plan.build(progress), inputs)
    candidates = [] if defenses is None else list_candidates(defenses, case.targets.shape[1])
    prepared = prepare_sweep(case, request, Run(settings, progress, task))
    outcome = prepared.sweep.run(candidates, prepared.stages.stages, {JUDGED: defense})
    listed = [each.name for each in candidates]
    result = build_result(outcome, case, request, prepared.stages, settings, listed)
    return describe_judgement(result, _name(raw), _name(protected), None if queries is None else _name(queries))


def describe_judgement(sweep: DefendResult, raw: str, protected: str, queries: str | None) -> JudgeResult:
    """The judgement of a sweep in which the judged defense took part."""
    before, after = sweep[UNDEFENDED], sweep[JUDGED]
    effects = tuple(map(_describe_effect, before.privacy, after.privacy))
    beaten = tuple(trial.defense for trial in sweep if trial.defense != JUDGED and _beats(trial, after, sweep))
    label = _choose_label(effects)
    return JudgeResult(
        schema=SCHEMA,
        version=vestige.__version__,
        label=label,
        headline=_write_headline(label, effects),
        sentences=(*_write_effects(effects), *_write_utility(after), _write_place(sweep, after, beaten)),
        effects=effects,
        beaten_by=beaten,
        raw=raw,
        protected=protected,
        queries=queries,
        sweep=replace(sweep, headline=_write_headline(label, effects), sentences=()),
    )


def _read_tables(
    raw: VectorSource, protected: VectorSource, queries: VectorSource | None, settings: Settings
) -> RecordedMap:
    """The tables, which must have one row per text."""
    before, after = _read_table(raw, settings.vector_column), _read_table(protected, None)
    asked = None if queries is None else _read_table(queries, None)
    for name, table in (("PROTECTED", after), ("the protected queries", asked)):
        if table is not None and len(table) != len(before):
            raise InputError(
                f"RAW has {len(before)} rows but {name} {'has' if name == 'PROTECTED' else 'have'} {len(table)}; "
                "expected the same texts in the same order; protect every row"
            )
    if asked is not None and asked.shape[1] != after.shape[1]:
        raise InputError(
            f"PROTECTED has {after.shape[1]} columns but the protected queries have {asked.shape[1]}; expected as "
            "many, since a query is compared with the rows; give both in the form in which they are compared"
        )
    return RecordedMap(before, after, asked)


def _read_table(source: VectorSource, column: str | None) -> Vectors:
    if not isinstance(source, str | Path):
        return as_checked_vectors(source, "vectors")
    with open_store(source, Columns(column)) as store:
        return as_checked_vectors(store.vectors(), describe_source(source))


def _name(source: VectorSource) -> str:
    return describe_source(source) if isinstance(source, str | Path) else UNNAMED


def _describe_effect(before: ProbeLeakage, after: ProbeLeakage) -> ProbeEffect:
    return ProbeEffect(before.probe, _find_effect(before, after), before.adaptive, after.adaptive, after.naive)


def _find_effect(before: ProbeLeakage, after: ProbeLeakage) -> Effect:
    if before.adaptive.low <= 0:
        return "nothing to hide"
    if is_obscurity(after, before):
        return "obscurity"
    if after.most.high < OBSCURE * before.adaptive.value:
        return "hidden"
    return "reduced" if after.most.high < before.adaptive.low else "not hidden"


def _choose_label(effects: Sequence[ProbeEffect]) -> Label:
    """What attackers with pairs achieve decides; a thief without pairs is stopped by any key, for a while."""
    found = {each.effect for each in effects if each.probe != THIEF}
    if found & {"hidden", "reduced"}:
        return "effective"
    if "obscurity" in found:
        return "obscurity"
    if any(each.effect in ("hidden", "reduced") for each in effects):
        return "delay"
    return "no effect" if "not hidden" in found else "nothing to hide"


def _list_probes(effects: Sequence[ProbeEffect], effect: Effect) -> str:
    return ", ".join(each.probe for each in effects if each.effect == effect)


def _write_headline(label: Label, effects: Sequence[ProbeEffect]) -> str:
    if label == "obscurity":
        return f"Obscurity: it stops only an attacker who does not know it ({_list_probes(effects, 'obscurity')})."
    if label == "delay":
        return "Delay: it stops a thief who has no pairs; whoever has pairs recovers as much as from raw vectors."
    if label == "no effect":
        return "No effect: an attacker who knows the defense recovers as much as from raw vectors."
    if label == "nothing to hide":
        return "Nothing to hide: these attacks recover nothing from the raw vectors."
    hidden, reduced = _list_probes(effects, "hidden"), _list_probes(effects, "reduced")
    parts = [f"more than half of {hidden}"] if hidden else []
    parts += [f"a part of {reduced}"] if reduced else []
    left = [each.probe for each in effects if each.effect in ("obscurity", "not hidden")]
    rest = f" It does not hide {', '.join(left)}." if left else ""
    return f"Effective: it hides {' and '.join(parts)}, also from an attacker who knows it.{rest}"


def _write_effects(effects: Sequence[ProbeEffect]) -> list[str]:
    """One sentence per probe."""
    return [
        f"{each.probe}: {each.effect}; leakage {_format(each.raw)} raw, {_format(each.adaptive)} protected"
        + ("." if each.naive is None else f" ({_format(each.naive)} to a naive attacker).")
        for each in effects
    ]


def _write_utility(after: DefenseTrial) -> list[str]:
    unrelated = any(each.score.low <= 0 for each in after.utility if each.measure == "correlation")
    doubt = "Protected neighbours are unrelated to raw ones: check that both tables have the same order of rows."
    return [doubt] * unrelated + [f"{each.measure} {_format(each.score)} of the raw vectors." for each in after.utility]


def _write_place(sweep: DefendResult, after: DefenseTrial, beaten: Sequence[str]) -> str:
    ours = [trial for trial in sweep if trial.defense not in (JUDGED, UNDEFENDED)]
    where = f"leakage of {sweep.probe} against {sweep.cost}"
    if beaten:
        named = ", ".join("the raw vectors" if name == UNDEFENDED else name for name in beaten)
        return f"Behind the frontier, by {where}; no more leakage and no less utility: {named}."
    if not ours:
        return "It was compared with none of our defenses; name some to see its place."
    behind = [trial.defense for trial in ours if _beats(after, trial, sweep)]
    return f"On the frontier, by {where}" + (f"; it beats {', '.join(behind)}." if behind else ".")


def _beats(one: DefenseTrial, other: DefenseTrial, sweep: DefendResult) -> bool:
    """Whether one leaks no more and is no less useful than the other, by values, and differs."""
    useful = one.scores[sweep.cost].value - other.scores[sweep.cost].value
    private = other.leakage[sweep.probe].value - one.leakage[sweep.probe].value
    return min(useful, private) >= 0 and max(useful, private) > 0


def _format(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
