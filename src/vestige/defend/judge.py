"""Judge a defense by its output: raw and protected vectors in, leakage, utility and a place among our defenses out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import vestige
from vestige.case.inputs import TextSource, check_settings, read_inputs
from vestige.case.prepare import CasePlan, plan_case
from vestige.case.settings import Settings
from vestige.case.source import describe_source
from vestige.checks import check_choice
from vestige.defend import REFERENCES
from vestige.defend.build_result import build_result
from vestige.defend.candidates import list_candidates
from vestige.defend.judge_record import JUDGED, SCHEMA, UNNAMED, Effect, JudgeResult, Label, ProbeEffect
from vestige.defend.recommend import MOST_LEAKAGE
from vestige.defend.record import UNDEFENDED, DefendResult, DefenseTrial, ProbeLeakage
from vestige.defend.recorded_tables import VectorSource, read_recorded
from vestige.defend.request import SweepRequest
from vestige.defend.run import add_task, memoize_encoder, prepare_sweep
from vestige.defend.stages import OBSCURE, is_obscurity
from vestige.defend.sweep import beats
from vestige.defend.thief import is_thief
from vestige.probes.plan import choose_probes
from vestige.probes.probe import Run
from vestige.types import Progress, Score, silent
from vestige.utility.neighbours import METRICS, Metric

LEAST_RELATED = 0.1
"""Below this correlation of cosines, next to nothing is left of the raw neighbours."""

UNRELATED = "But search finds nothing again: it is destroyed, or the tables differ in their order of rows."


def judge(
    raw: VectorSource,
    protected: VectorSource,
    *,
    texts: TextSource | None = None,
    queries: VectorSource | None = None,
    defenses: str | None = REFERENCES,
    task: str | None = None,
    metric: Metric = "cosine",
    settings: Settings | None = None,
    progress: Progress = silent,
) -> JudgeResult:
    """Judge any defense as a black box, by the same code as `defend`.

    `raw` and `protected` are the vectors of the same `texts` before and after the defense; their number of columns may
    differ. Rows of stores with ids are matched by these, others by their order. `queries` are the same rows as a search
    query is protected, for a scheme that treats queries differently; without them the protected rows are the queries
    too. `metric` is how the scheme compares a query with rows. `defenses` are those of ours to compare with, or None
    for none. The probes of `settings` judge; without any, all that need no encoder behind the defense do.
    """
    settings = settings or Settings()
    check_settings(settings)
    check_choice("metric", metric, METRICS)
    inputs = read_inputs(raw, texts, None, None, settings)
    defense = read_recorded(raw, protected, queries, settings)
    defense.metric = metric
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
    asked = None if queries is None else _name(queries)
    return describe_judgement(result, _name(raw), _name(protected), asked, metric)


def describe_judgement(
    sweep: DefendResult, raw: str, protected: str, queries: str | None, metric: Metric = "cosine"
) -> JudgeResult:
    """The judgement of a sweep in which the judged defense took part."""
    before, after = sweep[UNDEFENDED], sweep[JUDGED]
    effects = tuple(map(_describe_effect, before.privacy, after.privacy))
    beaten = tuple(
        trial.defense for trial in sweep if trial.defense != JUDGED and beats(trial, after, sweep.probe, sweep.cost)
    )
    label = _choose_label(effects)
    headline = _write_headline(label, effects) + (f" {UNRELATED}" if _is_unrelated(after) else "")
    return JudgeResult(
        schema=SCHEMA,
        version=vestige.__version__,
        label=label,
        headline=headline,
        sentences=(
            *_write_effects(effects),
            f"The adaptive attacker had {after.pairs:,} pairs; whoever has more may recover more.",
            *_write_utility(after),
            _write_place(sweep, after, beaten),
        ),
        effects=effects,
        beaten_by=beaten,
        raw=raw,
        protected=protected,
        queries=queries,
        metric=metric,
        sweep=replace(sweep, headline=headline, sentences=()),
    )


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
    hidden = [each for each in effects if not is_thief(each.probe) and each.effect != "nothing to hide"]
    found = {each.effect for each in hidden}
    if found & {"hidden", "reduced"}:
        small = found == {"hidden"} and all(each.left < MOST_LEAKAGE for each in hidden)
        return "effective" if small else "partial"
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
    much = [f"{each.probe} {each.left:.2f}" for each in effects if _leaves_much(each)]
    still = f" But it leaves up to {', '.join(much)}." if much else ""
    return f"{label.capitalize()}: it hides {' and '.join(parts)}, also from an attacker who knows it.{still}{rest}"


def _leaves_much(effect: ProbeEffect) -> bool:
    return effect.effect in ("hidden", "reduced") and effect.left >= MOST_LEAKAGE


def _write_effects(effects: Sequence[ProbeEffect]) -> list[str]:
    """One sentence per probe."""
    return [
        f"{each.probe}: {each.effect}; leakage {_format(each.raw)} raw, {_format(each.adaptive)} protected"
        + ("." if each.naive is None else f" ({_format(each.naive)} to a naive attacker).")
        for each in effects
    ]


def _is_unrelated(after: DefenseTrial) -> bool:
    """Whether nothing of raw neighbours is left, which a wrong order of rows causes as well."""
    return any(each.score.value < LEAST_RELATED for each in after.utility if each.measure == "correlation")


def _write_utility(after: DefenseTrial) -> list[str]:
    return [f"{each.measure} {_format(each.score)} of the raw vectors." for each in after.utility]


def _write_place(sweep: DefendResult, after: DefenseTrial, beaten: Sequence[str]) -> str:
    ours = [trial for trial in sweep if trial.defense not in (JUDGED, UNDEFENDED)]
    where = f"leakage of {sweep.probe} against {sweep.cost}"
    if beaten:
        named = ", ".join("the raw vectors" if name == UNDEFENDED else name for name in beaten)
        return f"Behind the frontier, by {where}; no more leakage and no less utility: {named}."
    if not ours:
        return "It was compared with none of our defenses; name some to see its place."
    behind = [trial.defense for trial in ours if beats(after, trial, sweep.probe, sweep.cost)]
    return f"On the frontier, by {where}" + (f"; it beats {', '.join(behind)}." if behind else ".")


def _format(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
