"""Randomised defenses: noise that is secret, the same at each call, and different for each row.

The noise of a row comes from a stream that depends on a secret seed, on the position of the row in its table and on its
content. A table therefore gives the same bytes again, however it is cut into parts, and repeated calls average nothing
away; no two rows share their noise, not even equal ones; and the noise of one table does not help to denoise another.
The guarantee of a mechanism holds for one row. A text that is stored in several rows, or at another position of a table
that is defended again, gets fresh noise each time, and the epsilons add up.

Whoever has the seed can test guesses at will: a saved mechanism is a secret, and its seed must not be guessable. The
guarantees are those of real numbers; noise is drawn in single precision, in which some sums cannot occur, and the last
bits of an outcome can reveal more than the guarantee allows (Mironov, CCS 2012).
"""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from vestige.defenses.defense import Defense
from vestige.defenses.streams import Streams, open_streams
from vestige.types import Floats, Singles, Vectors

SEED = "the seed of its noise"
"""What the folder of a saved mechanism must not reveal."""

MOST_USEFUL = 10.0
"""An epsilon above this promises next to nothing: some outcome may be 22,000 times likelier for a text."""

ROWS_AT_ONCE = 256
"""Enough rows to amortise the overhead of a numpy call, few enough for their arrays to be reused from the heap."""


class Mechanism(Defense):
    """A randomised map; `fit` draws its `seed_` once."""

    version: ClassVar[int] = 3
    learned: ClassVar[tuple[str, ...]] = ("seed_",)
    seed_: npt.NDArray[np.uint64]

    def check_learned(self) -> None:
        """Raise ValueError unless the seed is one, and every scale is above 0."""
        self.check_seed()
        if any(np.any(getattr(self, name) <= 0) for name in self.learned if name != "seed_"):
            raise ValueError("noise of scale 0")

    def check_seed(self) -> None:
        """Raise ValueError unless the seed has 256 bits, which keep the noise secret."""
        if self.seed_.dtype != np.uint64 or self.seed_.shape != (4,):
            raise ValueError(f"a seed of {self.seed_.dtype} {self.seed_.shape}, expected 4 numbers of 64 bits")

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        self.seed_ = rng.integers(2**64, size=4, dtype=np.uint64)

    def _transform(self, vectors: Vectors, start: int) -> Vectors:
        defended = np.empty_like(vectors)
        for first in range(0, len(vectors), ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            defended[rows] = self._randomise(vectors[rows], open_streams(self.seed_, vectors[rows], start + first))
        return defended

    @abstractmethod
    def _randomise(self, vectors: Vectors, streams: Streams) -> Singles:
        """The rows, each with noise from its own stream; the result of a row must not depend on other rows."""


def weigh_guarantee(epsilon: float, guarantee: str) -> str:
    """The guarantee, or that it is none in practice, since its epsilon is large."""
    if epsilon <= MOST_USEFUL:
        return guarantee
    return f"none in practice: {guarantee}, and an epsilon above {MOST_USEFUL:g} promises next to nothing"


def row_lengths(vectors: Vectors) -> Floats:
    """The length of each row, (rows, 1), in double precision; a length of 0 becomes the smallest positive float32."""
    wide = vectors.astype(np.float64)
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    return np.maximum(lengths, np.finfo(np.float32).tiny)


def normalise_rows(vectors: Vectors) -> Singles:
    """The rows scaled to length 1; a row of zeros stays as it is."""
    scale: Singles = (1 / row_lengths(vectors)).astype(np.float32)
    return vectors * scale
