"""A question asked of every defended case: fitted by what a stranger knows, scored by one who sees the truth."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from vestige.case.case import Knowledge
from vestige.types import Progress, Score, Vectors

Reader = Callable[[Vectors], Any]
"""A fitted attack: what it makes of vectors."""


@dataclass(frozen=True)
class Told:
    """How well a reader did, what guessing gives, and the gain."""

    attack: Score
    prior: Score
    leakage: Score


class Question(Protocol):
    """The truth stays within; `fit` is given what a stranger has, and nothing else."""

    @property
    def name(self) -> str:
        """What limits and reports call it."""

    @property
    def measure(self) -> str:
        """What the figures are, in words."""

    @property
    def attack(self) -> str:
        """Which attack asks it."""

    @property
    def tested(self) -> frozenset[str]:
        """The keywords or classes that its figures are means over; figures over others are of another thing."""

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Reader:
        """Learn from pairs; where the noise differs they come in so many draws, one after another."""

    def score(self, guesses: Any) -> Told:
        """Hold what a reader made of the targets against the truth."""
