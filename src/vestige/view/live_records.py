"""What the live page shows: the defenses to select from, and what is inferred from one text."""

from dataclasses import dataclass
from typing import Literal

from vestige.case.findings import Example, Level, State
from vestige.printable import printable
from vestige.types import EncoderGuess, Floats

Outcome = Literal["correct", "wrong", "missed"]


@dataclass(frozen=True, slots=True)
class DefenseChoice:
    """A defense in the selector. `note`, shown below it, explains it and repeats the figures of a label that is cut."""

    spec: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chip:
    """A word, the probability that the attack gives it, and whether it is right; None if it was not ranked at all."""

    word: str
    probability: float | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class KeywordChip:
    """A sensitive keyword, how likely the attack finds it, and whether it is in the text."""

    keyword: str
    probability: float
    present: bool

    @property
    def claimed(self) -> bool:
        """Whether the attack says that it is there."""
        return self.probability > 0.5

    @property
    def outcome(self) -> Outcome | None:
        """Whether the claim is right; None where nothing is claimed and nothing is there."""
        if self.claimed:
            return "correct" if self.present else "wrong"
        return "missed" if self.present else None


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A piece of the typed text. Control characters are shown, not sent; lines stay."""

    state: State
    text: str

    @property
    def shown(self) -> str:
        """The piece as the page shows it."""
        return "\n".join(map(printable, self.text.split("\n")))


@dataclass(frozen=True)
class LabelGuess:
    """The probability of each class of an attribute, one row per vector; the most common class, and its share."""

    attribute: str
    labels: tuple[str, ...]
    probabilities: Floats
    common: str
    share: float


@dataclass(frozen=True, slots=True)
class InferredLabel:
    """The likeliest classes of one attribute; without the vector, the guess is `common`, which has this `share`."""

    attribute: str
    ranked: tuple[tuple[str, float], ...]
    common: str
    share: float


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A stored text near the vector, masked, and its cosine."""

    row: int
    cosine: float
    text: Example


@dataclass(frozen=True)
class LiveResult:
    """What one attacker infers from the vector of a text. `guessed` words are right without the vector.

    `keywords` and `encoder` are None until their attacks are fitted. Without a keyword to look for, `keywords` is
    empty.
    """

    marked: tuple[MarkedText, ...]
    chips: tuple[Chip, ...]
    present: int
    recovered: int
    claimed: int
    guessed: int
    keywords: tuple[KeywordChip, ...] | None
    names: tuple[Chip, ...]
    labels: tuple[InferredLabel, ...]
    neighbours: tuple[Neighbour, ...]
    encoder: EncoderGuess | None

    @property
    def level(self) -> Level:
        """The colour of the count: no more than guessing, more than that, or at least half of the words."""
        if self.recovered <= self.guessed:
            return "none"
        return "severe" if 2 * self.recovered >= self.present else "substantial"
