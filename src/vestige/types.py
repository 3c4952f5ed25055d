"""Records and protocols that every room may use. Imports nothing of ours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""One row a text."""

Floats = npt.NDArray[np.float64]

Advance = Callable[[int], None]

Progress = Callable[[str, int], Advance]
"""Opens a task of known length and gives back the function that moves it on: `progress("encoding", 900)(32)`."""


def silent(task: str, total: int) -> Advance:  # noqa: ARG001
    """Show nothing; the default of every long piece of work."""
    return lambda _steps: None


@dataclass(frozen=True, slots=True)
class Score:
    """A measured value that never travels without its interval, its sample size and what it stands against."""

    value: float
    low: float
    high: float
    n: int
    baseline: float | None = None


@dataclass(frozen=True, slots=True)
class WordGuesses:
    """What an inverter reads out of each vector.

    `sets` holds, per text, the words it claims; `ranked` holds, per text, the likeliest words with
    their probabilities, likeliest first.
    """

    sets: list[frozenset[str]]
    ranked: list[list[tuple[str, float]]]


class Encoder(Protocol):
    """Text to vectors."""

    @property
    def name(self) -> str:
        """The spec string a user would type."""

    @property
    def identity(self) -> str:
        """Everything a vector depends on besides its text: weights, pooling, precision. Keys the cache."""

    @property
    def dimension(self) -> int:
        """Columns of every vector."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given."""


class Inverter(Protocol):
    """An attack that reads words out of vectors, given pairs of auxiliary vectors and texts."""

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> "Inverter":
        """Learn from what the adversary holds; `documents` says which of its texts belong together."""

    def infer(self, vectors: Vectors) -> WordGuesses:
        """Guess the words behind each vector."""
