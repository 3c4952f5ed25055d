"""Successive halving: every defense at a small size first, and the remaining ones at full size."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path

import numpy as np

from vestige.case.cache import compute_digest, read_cached, write_cached
from vestige.case.case import Missing
from vestige.case.randomness import stream
from vestige.defend.candidates import Candidate
from vestige.defend.defended import choose_draws
from vestige.defend.fitting import DefenseFitter
from vestige.defend.limits import Limit, find_margin
from vestige.defend.record import UNDEFENDED, DefenseTrial, NotTried, Round, UtilityScore
from vestige.defend.request import SweepRequest
from vestige.defend.stages import Judgement, Stage
from vestige.defend.utility import UtilityTask
from vestige.defenses.defense import Defense
from vestige.engine.job import Engine, Job
from vestige.engine.local_engine import LOCAL
from vestige.engine.threads import count_cores
from vestige.errors import InputError, VestigeError
from vestige.types import Advance, Progress

NEAREST = 3
"""Defenses closest to the limits that continue even if all are hopeless."""

DRAWN = 5
"""Defenses of the frontier that continue with them, from one end to the other, so that it can be drawn."""


@dataclass(frozen=True)
class TrialCache:
    """A folder for the judgements of one sweep, so that a sweep that was stopped can be resumed."""

    folder: Path

    def judge(self, stage: int, defense: str, draws: int, judge: Callable[[], Judgement]) -> Judgement:
        """The judgement, read from the folder if it was made before."""
        path = self.folder / f"{compute_digest(stage, defense, draws)}.json"
        known = read_cached(Judgement, path)
        if known is not None:
            return known
        judgement = judge()
        write_cached(judgement, path)
        return judgement


@dataclass(frozen=True)
class SweepOutcome:
    """All trials, the undefended vectors first; the defenses that could not be tried; and the rounds."""

    trials: tuple[DefenseTrial, ...]
    not_tried: tuple[NotTried, ...]
    rounds: tuple[Round, ...]


@dataclass(frozen=True)
class Contender:
    """A fitted defense, and the utility of the vectors that it defends, which is the same in every round."""

    name: str
    defense: Defense | None
    hides: str | None
    utility: tuple[UtilityScore, ...]


@dataclass(frozen=True, eq=False)
class PlannedTrial:
    """A fitted defense that is yet to be judged, in so many draws of noise."""

    name: str
    defense: Defense
    draws: int


@dataclass(frozen=True, eq=False)
class TrialWork:
    """Judges defenses at one size. A cluster sends the case and the fitted attacks to every worker once."""

    stage: Stage

    def prepare(self, advance: Advance) -> Callable[[PlannedTrial], Judgement]:
        """Nothing to prepare."""

        def judge(trial: PlannedTrial) -> Judgement:
            judgement = self.stage.judge(trial.defense, trial.draws)
            advance(1)
            return judgement

        return judge


class _NotStored(Exception):
    """There is no stored judgement."""


def _raise_missing() -> Judgement:
    raise _NotStored


def _return(judgement: Judgement) -> Judgement:
    return judgement


@dataclass(frozen=True, eq=False)
class Sweep:
    """Judges all defenses at a small size, drops those that cannot be chosen, and judges the rest at full size."""

    fitter: DefenseFitter
    utility: UtilityTask
    request: SweepRequest
    probe: str
    seed: int
    progress: Progress
    cache: TrialCache | None = None
    engine: Engine = LOCAL

    def run(
        self, candidates: Sequence[Candidate], stages: Sequence[Stage], given: Mapping[str, Defense] | None = None
    ) -> SweepOutcome:
        """Judge, drop, and continue with the rest. `given` are fitted defenses by name, which come first."""
        running, not_tried = self._fit_contenders(candidates, given or {})
        ended: list[DefenseTrial] = []
        trials: list[DefenseTrial] = []
        rounds: list[Round] = []
        for stage in stages:
            advance = self.progress(f"judging defenses, round {stage.number} of {len(stages)}", len(running))
            judged = self._judge_all(stage, running, advance)
            trials = [self._build_trial(stage, contender, judged[contender.name]) for contender in running]
            reasons = {} if stage is stages[-1] else self._find_dropped(trials)
            ended += [
                replace(trial, status="dropped", reason=f"in round {stage.number}: {reasons[trial.defense]}")
                for trial in trials
                if trial.defense in reasons
            ]
            sizes = len(stage.case.auxiliary["same-domain"].texts), len(stage.case.targets)
            rounds.append(Round(*sizes, len(running) - 1, len(reasons)))
            running = [contender for contender in running if contender.name not in reasons]
        return SweepOutcome((*trials, *ended), tuple(not_tried), tuple(rounds))

    def _find_dropped(self, trials: Sequence[DefenseTrial]) -> dict[str, str]:
        return find_dropped(trials, self.request.limits, self.probe, self.request.cost)

    def _fit_contenders(
        self, candidates: Sequence[Candidate], given: Mapping[str, Defense]
    ) -> tuple[list[Contender], list[NotTried]]:
        """Undefended vectors first, then those that are fitted already, then every defense that can be fitted."""
        contenders, not_tried = [Contender(UNDEFENDED, None, None, self.utility.score(None))], []
        contenders += [Contender(name, each, None, self.utility.score(each)) for name, each in given.items()]
        advance = self.progress("fitting defenses", len(candidates))
        for candidate in candidates:
            fitted = self.fitter.fit(candidate, stream(self.seed, f"defense {candidate.name}"))
            if isinstance(fitted, Missing):
                not_tried.append(NotTried(candidate.name, fitted.reason, fitted.remedy))
            else:
                hidden, utility = self.fitter.choose_hidden(candidate), self.utility.score(fitted)
                contenders.append(Contender(candidate.name, fitted, hidden, utility))
            advance(1)
        if not_tried and len(contenders) == 1:
            reasons = "; ".join(f"{each.defense}: {each.reason}, {each.remedy}" for each in not_tried)
            raise InputError(f"none of the defenses can be tried ({reasons}); name others with --defenses")
        return contenders, not_tried

    def _judge_all(self, stage: Stage, running: Sequence[Contender], advance: Advance) -> dict[str, Judgement]:
        """The judgement of each contender, by name: as it was stored, or by the engine, one item per trial."""
        judged = {each.name: stage.undefended for each in running if each.defense is None}
        missing: list[PlannedTrial] = []
        for contender in running:
            if contender.defense is not None:
                trial = self._plan_trial(stage, contender)
                stored = self._judge(stage, trial, _raise_missing)
                judged |= {} if stored is None else {trial.name: stored}
                missing += [trial] if stored is None else []
        advance(len(judged))
        job = Job(TrialWork(stage), "trial", attrgetter("name"), fatal=(VestigeError,), cores=count_cores())
        for outcome in self.engine.run(job, missing, len(missing), advance):
            trial = missing[outcome.index]
            stored = self._judge(stage, trial, partial(_return, outcome.result))
            assert stored is not None
            judged[trial.name] = stored
        return judged

    def _plan_trial(self, stage: Stage, contender: Contender) -> "PlannedTrial":
        assert contender.defense is not None
        draws = choose_draws(stage.case, contender.defense, self.request.draws)
        return PlannedTrial(contender.name, contender.defense, draws)

    def _judge(self, stage: Stage, trial: "PlannedTrial", judge: Callable[[], Judgement]) -> Judgement | None:
        """The stored judgement, or that of `judge`, which is then stored; None if there is neither."""
        with suppress(_NotStored):
            return judge() if self.cache is None else self.cache.judge(stage.number, trial.name, trial.draws, judge)
        return None

    def _build_trial(self, stage: Stage, contender: Contender, judgement: Judgement) -> DefenseTrial:
        defense, columns = contender.defense, stage.case.targets.shape[1]
        width = columns if defense is None else defense.transform(stage.case.targets[:1]).shape[1]
        return DefenseTrial(
            defense=contender.name,
            hides=contender.hides,
            dimension=width,
            round=stage.number,
            pairs=len(stage.case.auxiliary["same-domain"].texts),
            targets=len(stage.case.targets),
            draws=judgement.draws,
            queries=judgement.queries,
            privacy=judgement.privacy,
            utility=contender.utility,
            not_naive=None if width == columns else f"an attack on {columns} columns cannot be run on {width}",
            obscure=defense is not None and stage.is_obscure(judgement.privacy),
            status="reference" if defense is None else "misses",
            reason="",
            frontier=False,
        )


def find_dropped(trials: Sequence[DefenseTrial], limits: Sequence[Limit], probe: str, cost: str) -> dict[str, str]:
    """The trials that end in this round, by defense, each with the reason."""
    tried = [trial for trial in trials if trial.defense != UNDEFENDED]
    by_margin = sorted(tried, key=lambda trial: find_margin(limits, trial.scores))
    spared = {trial.defense for trial in by_margin[:NEAREST]} if limits else set()
    best = find_frontier(tried, probe, cost)
    ends = sorted((trial for trial in tried if trial.defense in best), key=lambda trial: trial.scores[cost].value)
    places = np.linspace(0, len(ends) - 1, min(DRAWN, len(ends))).round().astype(int)
    spared |= {ends[place].defense for place in places}
    utilities = {cost, *(limit.measure for limit in limits if limit.above)}
    reasons = {}
    for trial in tried:
        reason = _describe_hopeless(trial, limits) or _describe_beaten(trial, trials, utilities)
        if reason and trial.defense not in spared:
            reasons[trial.defense] = reason
    return reasons


def dominates(one: DefenseTrial, other: DefenseTrial, utilities: Collection[str]) -> bool:
    """Whether one trial has more of every utility and less leakage of every probe, with disjoint intervals."""
    useful = all(one.scores[name].low > other.scores[name].high for name in utilities)
    return useful and all(one.leakage[name].high < leak.low for name, leak in other.leakage.items())


def find_frontier(trials: Sequence[DefenseTrial], probe: str, cost: str) -> set[str]:
    """The trials that no other beats in utility and leakage, by their values alone."""
    return {trial.defense for trial in trials if not any(beats(other, trial, probe, cost) for other in trials)}


def beats(one: DefenseTrial, other: DefenseTrial, probe: str, cost: str) -> bool:
    """Whether one leaks no more and is no less useful than the other, by values, and differs."""
    useful = one.scores[cost].value - other.scores[cost].value
    private = other.leakage[probe].value - one.leakage[probe].value
    return min(useful, private) >= 0 and max(useful, private) > 0


def _describe_hopeless(trial: DefenseTrial, limits: Sequence[Limit]) -> str:
    for limit in limits:
        for name, score in trial.scores.items():
            if limit.concerns(name) and limit.hopeless(score):
                return f"{name} {score.value:.3f} ({score.low:.3f} to {score.high:.3f}) misses {limit.expression}"
    return ""


def _describe_beaten(trial: DefenseTrial, trials: Sequence[DefenseTrial], utilities: Collection[str]) -> str:
    better = next((other for other in trials if dominates(other, trial, utilities)), None)
    return f"{better.defense} leaks less and is more useful" if better else ""
