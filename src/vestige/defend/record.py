"""The record of a sweep: all that a page about defenses may read."""

from dataclasses import dataclass, replace
from typing import Literal

from vestige.case.findings import Subject
from vestige.case.settings import Settings
from vestige.types import Score

SCHEMA = 1
UNDEFENDED = "none"

Fate = Literal["reference", "chosen", "holds", "misses", "dropped"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one question found in defended vectors. Leakages are gains over guessing, as in an audit.

    `adaptive` is that of a stranger who knows the defense and learned from defended vectors, `naive` that of one who
    learned from undefended ones, and `control` that of the adaptive one judged by the texts of other vectors. `attack`
    and `prior` are the figures of which `adaptive` is the difference.
    """

    question: str
    adaptive: Score
    naive: Score | None
    control: Score
    attack: Score
    prior: Score

    @property
    def most(self) -> Score:
        """The leakage of whichever stranger reads more; either end is the higher of two, for nobody knows who does.

        So a limit holds where it holds against both.
        """
        if self.naive is None:
            return self.adaptive
        low, high = max(self.adaptive.low, self.naive.low), max(self.adaptive.high, self.naive.high)
        return replace(max(self.adaptive, self.naive, key=lambda score: score.value), low=low, high=high)


@dataclass(frozen=True, slots=True)
class Kept:
    """What defended vectors are still good for."""

    measure: str
    score: Score


@dataclass(frozen=True, slots=True)
class Trial:
    """One defense at one strength, as judged at the last rung that it reached.

    The stranger had `pairs` texts, the vector of each drawn `draws` times, and asked for `queries` defended vectors in
    all. `hides` names the labels that the defense was fitted to hide. `not_naive` says why no naive attack could be
    run. A defense is `obscure` where it fools the naive stranger alone. `reason` says why a trial was dropped.
    """

    defense: str
    hides: str | None
    dimension: int
    rung: int
    pairs: int
    targets: int
    draws: int
    queries: int
    privacy: tuple[Reading, ...]
    utility: tuple[Kept, ...]
    not_naive: str | None
    obscure: bool
    fate: Fate
    reason: str
    frontier: bool

    @property
    def leakage(self) -> dict[str, Score]:
        """By question, what the stranger reads who reads more: whoever knows a defense can do as if it did not."""
        return {reading.question: reading.most for reading in self.privacy}

    @property
    def scores(self) -> dict[str, Score]:
        """Everything on which a limit can be set."""
        return self.leakage | {kept.measure: kept.score for kept in self.utility}


@dataclass(frozen=True, slots=True)
class NotTried:
    """A defense that could not be tried, why, and what would let it be."""

    defense: str
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Rung:
    """How many defenses were judged at which size."""

    pairs: int
    targets: int
    judged: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Attack:
    """A question, how it is measured, and the attack that asks it, from which rung on."""

    question: str
    measure: str
    attack: str
    rung: int


@dataclass(frozen=True, slots=True)
class DefendResult:
    """Everything that was found about defenses, and what it takes to find it again.

    `chosen` is "none" where the vectors hold all limits as they are, and None where nothing does. Utility lost is
    reckoned by the measure named `cost`; the frontier is that of `cost` against leakage of `question`. `not_asked` says
    which questions could not be asked.
    """

    schema: int
    version: str
    headline: str
    sentences: tuple[str, ...]
    chosen: str | None
    limits: tuple[str, ...]
    cost: str
    question: str
    attacks: tuple[Attack, ...]
    rungs: tuple[Rung, ...]
    trials: tuple[Trial, ...]
    not_tried: tuple[NotTried, ...]
    not_asked: tuple[str, ...]
    subject: Subject
    settings: Settings
    defenses: tuple[str, ...]
    task: str | None
    draws: int
    halving: bool
