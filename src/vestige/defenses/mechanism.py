"""Defenses that add chance: noise that is secret, the same at each call, and a row's own.

The noise of a row is drawn from a stream that depends on a secret seed, on the place of the row in its table and on its
content. So a table gives the same bytes again, in whatever parts it comes (and asking twice averages nothing away);
two rows never share their noise, not even equal ones; and no noise of one table serves to strip another. What is stated
of a mechanism holds for one row: a text that stands in several, or at another place of a table that is defended again,
is drawn for anew, and the epsilons add up.

Who has the seed tests guesses at will: a saved mechanism is a secret, and its seed must not come from a number that can
be guessed. The laws stated are those of real numbers; noise is drawn in single precision, in which some sums cannot
occur, and the last bits of an outcome can betray more than a law allows (Mironov, CCS 2012).
"""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from vestige.defenses.defense import Defense
from vestige.defenses.streams import Streams, row_streams
from vestige.types import Singles, Vectors

ROWS_AT_ONCE = 256
"""So many that numpy's way to each loop counts little, so few that the system need not be asked for memory anew."""


class Mechanism(Defense):
    """A randomised map; `seed_` is drawn once, when it is fitted."""

    version: ClassVar[int] = 3
    learned: ClassVar[tuple[str, ...]] = ("seed_",)
    seed_: npt.NDArray[np.uint64]

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        self.seed_ = rng.integers(2**64, size=4, dtype=np.uint64)

    def check_learned(self) -> None:
        """A seed of 256 bits, or the noise is no secret; lengths of noise above 0."""
        if self.seed_.dtype != np.uint64 or self.seed_.shape != (4,):
            raise ValueError(f"a seed of {self.seed_.dtype} {self.seed_.shape}, expected 4 numbers of 64 bits")
        if any(np.any(getattr(self, name) <= 0) for name in self.learned if name != "seed_"):
            raise ValueError("noise of no length")

    def _moved(self, vectors: Vectors, start: int) -> Vectors:
        found = np.empty_like(vectors)
        for first in range(0, len(vectors), ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            found[rows] = self._noisy(vectors[rows], row_streams(self.seed_, vectors[rows], start + first))
        return found

    @abstractmethod
    def _noisy(self, vectors: Vectors, streams: Streams) -> Singles:
        """The rows with noise drawn from the stream of each; no row may look at another."""
