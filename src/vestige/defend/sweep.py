"""Successive halving: every defense at a small size first, and at full size those that are still in the running."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from vestige.case.case import Missing
from vestige.case.randomness import stream
from vestige.defend.defended import draws_of
from vestige.defend.halving import dropped
from vestige.defend.limits import Limit
from vestige.defend.owner import Owner
from vestige.defend.plan import Candidate
from vestige.defend.record import UNDEFENDED, Kept, NotTried, Rung, Trial
from vestige.defend.remembered import Remembered
from vestige.defend.stage import Judged, Stage
from vestige.defend.utility import Use
from vestige.defenses.defense import Defense
from vestige.errors import InputError
from vestige.types import Advance, Progress


@dataclass(frozen=True)
class Swept:
    """All trials, the undefended vectors first; what could not be tried; and how many were judged at each rung."""

    trials: tuple[Trial, ...]
    not_tried: tuple[NotTried, ...]
    rungs: tuple[Rung, ...]


@dataclass(frozen=True)
class Contender:
    """A fitted defense, and what it keeps of the use of vectors, which is the same at every rung."""

    name: str
    defense: Defense | None
    hides: str | None
    kept: tuple[Kept, ...]


@dataclass(frozen=True, eq=False)
class Sweep:
    """The owner, its use of the vectors, and its limits; `draws` is how often a stranger has a text defended."""

    owner: Owner
    use: Use
    limits: Sequence[Limit]
    question: str
    cost: str
    draws: int
    seed: int
    progress: Progress
    memory: Remembered | None = None

    def run(self, candidates: Sequence[Candidate], stages: Sequence[Stage]) -> Swept:
        """Judge, drop, and go on with the rest."""
        running, not_tried = self._contenders(candidates)
        ended: list[Trial] = []
        trials: list[Trial] = []
        rungs: list[Rung] = []
        for stage in stages:
            advance = self.progress(f"defenses judged, rung {stage.number} of {len(stages)}", len(running))
            trials = [self._trial(stage, each, advance) for each in running]
            reasons = {} if stage is stages[-1] else dropped(trials, self.limits, self.question, self.cost)
            ended += [
                replace(trial, fate="dropped", reason=f"at rung {stage.number}: {reasons[trial.defense]}")
                for trial in trials
                if trial.defense in reasons
            ]
            sizes = len(stage.case.auxiliary["same-domain"].texts), len(stage.case.targets)
            rungs.append(Rung(*sizes, len(running) - 1, len(reasons)))
            running = [each for each in running if each.name not in reasons]
        return Swept((*trials, *ended), tuple(not_tried), tuple(rungs))

    def _contenders(self, candidates: Sequence[Candidate]) -> tuple[list[Contender], list[NotTried]]:
        """Undefended vectors first, then every defense that can be fitted."""
        found, not_tried = [Contender(UNDEFENDED, None, None, self.use.kept(None))], []
        advance = self.progress("fitting defenses", len(candidates))
        for each in candidates:
            fitted = self.owner.fitted(each, stream(self.seed, f"defense {each.name}"))
            if isinstance(fitted, Missing):
                not_tried.append(NotTried(each.name, fitted.reason, fitted.remedy))
            else:
                found.append(Contender(each.name, fitted, self.owner.hides(each), self.use.kept(fitted)))
            advance(1)
        if not_tried and len(found) == 1:
            told = "; ".join(f"{each.defense}: {each.reason}, {each.remedy}" for each in not_tried)
            raise InputError(f"none of the defenses can be tried ({told}); name others with --defenses")
        return found, not_tried

    def _judged(self, stage: Stage, each: Contender, draws: int) -> Judged:
        if each.defense is None:
            return Judged(stage.undefended, 1, stage.queries)
        judge = partial(stage.judge, each.defense, draws)
        return judge() if self.memory is None else self.memory.judged(stage.number, each.name, draws, judge)

    def _trial(self, stage: Stage, each: Contender, advance: Advance) -> Trial:
        draws = draws_of(stage.case, each.defense, self.draws)
        pairs = stage.case.auxiliary["same-domain"]
        judged = self._judged(stage, each, draws)
        advance(1)
        columns = stage.case.targets.shape[1]
        width = columns if each.defense is None else each.defense.transform(stage.case.targets[:1]).shape[1]
        return Trial(
            defense=each.name,
            hides=each.hides,
            dimension=width,
            rung=stage.number,
            pairs=len(pairs.texts),
            targets=len(stage.case.targets),
            draws=judged.draws,
            queries=judged.queries,
            privacy=judged.privacy,
            utility=each.kept,
            not_naive=None if width == columns else f"an attack on {columns} columns cannot be run on {width}",
            obscure=each.defense is not None and stage.obscured(judged.privacy),
            fate="reference" if each.defense is None else "misses",
            reason="",
            frontier=False,
        )
