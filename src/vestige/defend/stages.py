"""The sizes at which defenses are judged: a small one that screens them, and the full size."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from vestige.case.case import Case, Knowledge, Missing
from vestige.defend.defended import defend_case, shrink_case
from vestige.defend.limits import NO_TASK, NOT_CHOSEN, check_measured
from vestige.defend.record import ProbeLeakage
from vestige.defend.request import DEFAULT_PROBES, SweepRequest
from vestige.defend.thief import ThiefSetup, open_thief
from vestige.defenses.defense import Defense
from vestige.encoders.metered import Metered
from vestige.errors import InputError
from vestige.probes.plan import choose_probes
from vestige.probes.probe import Effort, Fitted, Run, Setup
from vestige.types import Progress, Score, Vectors, silent

SMALL_PAIRS, SMALL_TARGETS = 3000, 500

OBSCURE = 0.5
"""A defense is obscurity if it halves what the naive adversary recovers, but not what the adaptive one does."""


@dataclass(frozen=True)
class Judgement:
    """What was recovered from defended vectors, in how many draws of noise, and after how many queries."""

    privacy: tuple[ProbeLeakage, ...]
    draws: int
    queries: int


@dataclass(frozen=True, eq=False)
class Stage:
    """A case, the setups that score it, and attacks that were fitted on its undefended vectors through a meter."""

    number: int
    case: Case
    setups: tuple[Setup, ...]
    naive: dict[str, Fitted]
    meter: Metered | None

    @classmethod
    def fit(cls, number: int, case: Case, setups: Sequence[Setup], progress: Progress) -> "Stage":
        """Fit the naive adversary once, for all defenses."""
        meter = _meter(case)
        naive = {setup.name: _fit_naive(setup, _hold(case, setup, meter), progress) for setup in setups}
        return cls(number, case, tuple(setups), naive, meter)

    @cached_property
    def undefended(self) -> Judgement:
        """The leakage without a defense, where the naive and the adaptive adversary are the same."""
        leakages, queries = self._score_all(self.naive, self.case, self.meter)
        return Judgement(leakages, 1, queries)

    def judge(self, defense: Defense, draws: int) -> Judgement:
        """Fit every attack again on defended vectors; run the naive ones on them as well."""
        defended = defend_case(self.case, defense, draws=draws)
        meter = _meter(defended)
        fitted = {setup.name: setup.fit(_hold(defended, setup, meter), draws, silent) for setup in self.setups}
        leakages, queries = self._score_all(fitted, defended, meter)
        return Judgement(leakages, draws, queries)

    def is_obscure(self, leakages: Sequence[ProbeLeakage]) -> bool:
        """Whether the defense stops the naive adversary of some probe, and not the one who knows it."""
        return any(map(is_obscurity, leakages, self.undefended.privacy))

    def _score_all(
        self, fitted: dict[str, Fitted], case: Case, meter: Metered | None
    ) -> tuple[tuple[ProbeLeakage, ...], int]:
        """The leakage of every setup, and the queries of the adaptive adversary, without those of controls."""
        targets = {setup.name: setup.select_targets(case) for setup in self.setups}
        guesses = {name: infer(targets[name]) for name, infer in fitted.items()}
        queries = sum(case.auxiliary[domain].queries for domain in {setup.domain for setup in self.setups})
        queries += 0 if meter is None else meter.spent
        leakages = tuple(
            self._score(
                setup, fitted[setup.name], targets[setup.name], guesses[setup.name], defended=case is not self.case
            )
            for setup in self.setups
        )
        return leakages, queries

    def _score(self, setup: Setup, fitted: Fitted, targets: Vectors, guesses: Any, *, defended: bool) -> ProbeLeakage:
        score, control = setup.score(guesses), setup.score_control(fitted, targets, guesses)
        naive: Score | None = score.leakage
        if defended:
            possible = targets.shape[1] == self.case.targets.shape[1] and not setup.fits_on_targets
            naive = setup.score(self.naive[setup.name](targets)).leakage if possible else None
        return ProbeLeakage(setup.name, score.leakage, naive, control.leakage, score.attack, score.prior)


@dataclass(frozen=True)
class Stages:
    """The sizes in order, the full one last; and for every probe that was not used, why."""

    stages: tuple[Stage, ...]
    missing: dict[str, str]

    @property
    def names(self) -> list[str]:
        """The names of what is scored at full size."""
        return [setup.name for setup in self.stages[-1].setups]


def build_stages(case: Case, request: SweepRequest, run: Run) -> Stages:
    """A small size, if the same things can be scored there, and the full size."""
    setups, missing = _open_probes(case, request, run, "full")
    if not setups:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in missing.items())
        raise InputError(f"no probe can judge the defenses ({reasons}); choose another one with --probe")
    utilities = ("recall@10", "correlation", *(() if request.task is None else ("task",)))
    unmeasured = {"task": NO_TASK, **missing}
    check_measured(request.limits, (*(setup.name for setup in setups), *utilities), unmeasured)
    large = len(case.auxiliary["same-domain"].texts) > SMALL_PAIRS
    small = _open_small(case, setups, request, run) if request.halving and large else None
    sizes = [*([] if small is None else [small]), (case, setups)]
    stages = [Stage.fit(number, sized, own, run.progress) for number, (sized, own) in enumerate(sizes, 1)]
    return Stages(tuple(stages), missing)


def _open_probes(case: Case, request: SweepRequest, run: Run, effort: Effort) -> tuple[list[Setup], dict[str, str]]:
    """The setups of the chosen probes, and why others have none."""
    missing = {name: NOT_CHOSEN for name in DEFAULT_PROBES if name not in request.probes}
    setups: list[Setup] = []
    for probe in choose_probes(request.probes):
        opened = probe.open(case, run, effort)
        if isinstance(opened, Missing):
            missing[probe.name] = f"{opened.reason}; {opened.remedy}"
        else:
            setups += opened
    if request.thief:
        setups += open_thief(case, request.probes, run, effort)
    return setups, missing


def _open_small(case: Case, setups: list[Setup], request: SweepRequest, run: Run) -> tuple[Case, list[Setup]] | None:
    """Fewer pairs, and fewer targets if these are enough to score the same keywords and classes."""
    tested = {setup.name: setup.tested for setup in setups}
    for targets in sorted({min(SMALL_TARGETS, len(case.targets)), len(case.targets)}):
        small = shrink_case(case, pairs=SMALL_PAIRS, targets=targets)
        again, _ = _open_probes(small, request, run, "screen")
        if {setup.name: setup.tested for setup in again} == tested:
            return small, again
    return None


def _fit_naive(setup: Setup, knowledge: Knowledge, progress: Progress) -> Fitted:
    return setup.fit_naive() if isinstance(setup, ThiefSetup) else setup.fit(knowledge, 1, progress)


def _meter(case: Case) -> Metered | None:
    return None if case.encoder is None else Metered(case.encoder)


def _hold(case: Case, setup: Setup, meter: Metered | None) -> Knowledge:
    return replace(case.knowledge(setup.domain), encoder=meter)


def is_obscurity(defended: ProbeLeakage, undefended: ProbeLeakage) -> bool:
    """Whether the naive adversary lost most of the leakage, and the adaptive one less than half of it."""
    before = undefended.adaptive
    if defended.naive is None or before.low <= 0:
        return False
    return defended.naive.high < OBSCURE * before.value < defended.adaptive.low
