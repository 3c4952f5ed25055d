"""A probe is one question that an owner asks, as one object that audits, sweeps of defenses and gates all use.

A probe declares its name, question, measures and the standards it maps to. It estimates its queries before anything is
encoded. `open` fixes what is scored on a case and returns setups, or says why there are none. A setup holds the truth;
its `fit` receives a `Knowledge`, which has no field for it. `run` fits, scores and collects the evidence of an audit.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any, ClassVar, Literal, Self

import numpy as np

from vestige.case.case import Case, Domain, Knowledge, Missing
from vestige.case.checkpoints import NO_CHECKPOINTS, Checkpoints
from vestige.case.findings import Finding, NotApplicable
from vestige.case.prepare import CasePlan
from vestige.case.settings import ANY_PROBE, Settings
from vestige.types import Progress, Score, Vectors, silent

Effort = Literal["full", "screen"]
"""How much an adversary invests: `screen` fits in seconds, to compare many defenses at a small size."""

Fitted = Callable[[Vectors], Any]
"""A fitted attack: vectors to guesses."""


@dataclass(frozen=True, slots=True)
class Standards:
    """The risks that a probe measures, by the ids of OWASP (LLM Top 10, AISVS) and MITRE ATLAS."""

    owasp: tuple[str, ...]
    atlas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds that a probe computes on two cores, besides its queries: always, and per thousand pairs and targets."""

    fixed: float = 1.0
    per_thousand_pairs: float = 0.0
    per_thousand_targets: float = 0.0

    def seconds(self, pairs: int, targets: int) -> float:
        """The seconds for so many pairs and targets."""
        return self.fixed + (self.per_thousand_pairs * pairs + self.per_thousand_targets * targets) / 1000


@dataclass(frozen=True, eq=False)
class Run:
    """The settings and the progress of one run, and what its probes share, such as the choice of an attack on words.

    `task` is the column of labels that vectors must still predict, and that no probe attacks. `checkpoints` holds the
    finished steps of the probe that runs.
    """

    settings: Settings
    progress: Progress = silent
    task: str | None = None
    checkpoints: Checkpoints = NO_CHECKPOINTS
    shared: dict[Hashable, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProbeScore:
    """The headline measure of an attack, what the prior scores, and the leakage, which is the gain over the prior."""

    attack: Score
    prior: Score
    leakage: Score


class Setup(ABC):
    """One probe on one case, with what is scored fixed. The truth stays within: `fit` never receives it.

    `name` is what limits call it, `measure` the label of its headline, `attack` the attack that it fits. `tested` are
    the keywords or classes that the score is a mean over; scores over others are not comparable. `domain` is that of
    the adversary's pairs. `fits_on_targets` means that the attack learns from the target
    vectors themselves, so that a naive adversary, who would fit it on undefended ones, does not exist.
    """

    name: str
    measure: str
    attack: str
    domain: Domain = "same-domain"
    tested: frozenset[str] = frozenset()
    fits_on_targets: bool = False

    def select_targets(self, case: Case) -> Vectors:
        """The vectors under attack; those of a defended case where `case` is one."""
        return case.targets

    @abstractmethod
    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:
        """Fit the attack on what the adversary holds. Its pairs come in `draws` draws of noise, one after another."""

    @abstractmethod
    def score(self, guesses: Any) -> ProbeScore:
        """Compare guesses with the truth."""

    def score_control(self, fitted: Fitted, targets: Vectors, guesses: Any) -> ProbeScore:  # noqa: ARG002
        """The score of the same attack on mismatched vectors, each with the truth of another text.

        `guesses` are those for the targets, for a setup that can mismatch these instead.
        """
        return self.score(fitted(np.roll(targets, len(targets) // 2, axis=0)))


class Probe(ABC):
    """Chooses an attack that the case allows, runs it with a prior and a control, and scores all three.

    A probe is a frozen dataclass: its fields are part of the key under which its finding is cached. `measures` maps the
    name of each measure to its label; `rank` is the position of the probe in an audit; `cost` is what it computes;
    `needs_texts` is False if the probe can run on vectors whose texts are not available.
    """

    name: str
    question: str
    measures: ClassVar[dict[str, str]]
    standards: ClassVar[Standards]
    rank: ClassVar[int]
    cost: ClassVar[Cost] = Cost()
    needs_texts: ClassVar[bool] = True

    @classmethod
    @abstractmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""

    @abstractmethod
    def estimate_queries(self, plan: CasePlan) -> Iterable[str]:
        """Texts like those that the probe may query, all distinct, since an estimate counts a text once."""

    def list_known_queries(self, plan: CasePlan) -> Sequence[str]:  # noqa: ARG002
        """Texts that the probe will query and that are known before it runs, to be encoded when a core is idle."""
        return ()

    def list_recipes(self) -> tuple[str, ...]:
        """The names of the published attacks that the probe can run; see `vestige.attacks.attack.list_recipes`."""
        return ()

    def has_recipe(self, settings: Settings) -> bool:
        """Whether the probe can run the attack that the settings name."""
        return settings.recipe in ANY_PROBE or settings.recipe in self.list_recipes()

    def can_apply(self, plan: CasePlan) -> bool:  # noqa: ARG002
        """Whether the probe may run on a case of this plan; False where that is known before anything is encoded."""
        return True

    @abstractmethod
    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:
        """What the probe scores on this case, or why it cannot and what would help."""

    @abstractmethod
    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Fit the attack, the prior and the control, score them, and collect the evidence."""

    def run(self, case: Case, run: Run) -> Finding | NotApplicable:
        """The finding, or the reason why there is none."""
        outcome = self.find(case, run) if self.has_recipe(run.settings) else self._describe_recipes(run.settings)
        if isinstance(outcome, Missing):
            return NotApplicable(self.name, self.question, outcome.reason, outcome.remedy)
        return outcome

    def _describe_recipes(self, settings: Settings) -> Missing:
        known = ", ".join((*ANY_PROBE, *self.list_recipes()))
        return Missing(f"the recipe '{settings.recipe}' answers another question", f"give --recipe one of {known}")


def number_texts(texts: Sequence[str], count: int, mark: str) -> Iterator[str]:
    """As many distinct texts as will be queried, of about the same lengths."""
    yield from (f"{text} {mark} {number}" for number, text in enumerate(islice(cycle(texts), count)))
