"""Defenses that add chance: noise that is secret, the same at each call, and a row's own.

The noise of a row is drawn from a stream that depends on a secret seed, on the place of the row in its table and on its
content. So a table gives the same bytes again, in whatever parts it comes (and asking twice averages nothing away);
two rows never share their noise, not even equal ones; and no noise of one table serves to strip another.

Who has the seed tests guesses at will: a saved mechanism is a secret, and its seed must not come from a number that can
be guessed. The laws stated are those of real numbers; the last bits of floating-point noise can betray more
(Mironov, CCS 2012).
"""

from abc import abstractmethod
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from vestige.defenses.defense import ROWS_AT_ONCE, Defense
from vestige.types import Floats, Vectors


class Mechanism(Defense):
    """A randomised map; `seed_` is drawn once, when it is fitted."""

    learned: ClassVar[tuple[str, ...]] = ("seed_",)
    seed_: npt.NDArray[np.uint64]

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        self.seed_ = rng.integers(2**64, size=4, dtype=np.uint64)

    def _moved(self, vectors: Vectors, start: int) -> Vectors:
        found = np.empty_like(vectors)
        for first in range(0, len(vectors), ROWS_AT_ONCE):
            block = vectors[first : first + ROWS_AT_ONCE]
            drawn = [self._draw(stream, block.shape[1]) for stream in streams(self.seed_, block, start + first)]
            found[first : first + ROWS_AT_ONCE] = self._noisy(block.astype(np.float64), np.stack(drawn))
        return found

    @abstractmethod
    def _draw(self, stream: np.random.Generator, columns: int) -> Floats:
        """The random numbers that one row of so many columns takes, of its own stream."""

    @abstractmethod
    def _noisy(self, vectors: Floats, drawn: Floats) -> Floats:
        """The rows with noise made of what was drawn for each; no row may look at another."""


def streams(seed: npt.NDArray[np.uint64], vectors: Vectors, start: int) -> Iterator[np.random.Generator]:
    """A generator a row, to be used before the next is asked for."""
    bits = np.random.Philox(key=0)
    fresh, stream = bits.state, np.random.Generator(bits)
    for place, vector in enumerate(vectors, start):
        content = place.to_bytes(8, "little") + vector.tobytes()
        key = blake2b(content, digest_size=16, key=seed.tobytes()).digest()
        bits.state = {**fresh, "state": {**fresh["state"], "key": np.frombuffer(key, np.uint64)}}
        yield stream
