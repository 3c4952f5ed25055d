"""Vectors for texts that the private encoder never saw: those of another encoder, through a linear map."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.ridge import ridge_map
from vestige.attacks.rows import unit_length
from vestige.types import Singles, Vectors

FOLDS = 5


@dataclass(frozen=True, eq=False)
class HeldTexts:
    """What an adversary holds: pairs of vectors and texts, and `further` texts without vectors.

    `own` has the vectors that a surrogate gives to all of these texts, those of the pairs first; None without one. All
    vectors have unit length.
    """

    vectors: Vectors
    texts: Sequence[str]
    further: Sequence[str] = ()
    own: Vectors | None = None

    @property
    def all_texts(self) -> list[str]:
        """The texts of the pairs, then the further texts."""
        return [*self.texts, *self.further]

    def take(self, rows: Sequence[int]) -> "HeldTexts":
        """Some of the pairs, and all further texts."""
        kept = [*rows, *range(len(self.texts), len(self.texts) + len(self.further))]
        own = None if self.own is None else self.own[kept]
        return HeldTexts(self.vectors[list(rows)], [self.texts[row] for row in rows], self.further, own)

    def list_vectors(self, rng: np.random.Generator) -> Vectors:
        """The vectors of the pairs and, with a surrogate, vectors for the further texts."""
        if self.own is None or not self.further:
            return self.vectors
        count = len(self.vectors)
        mapped = map_vectors(self.own[:count], self.vectors, self.own[count:], rng)
        return np.vstack([self.vectors, mapped])


def map_vectors(own: Singles, vectors: Singles, further: Singles, rng: np.random.Generator) -> Vectors:
    """Vectors of a private encoder for texts of which only the surrogate's vectors, `further`, are known.

    Row i of `own` and of `vectors` belongs to the same text. A map predicts too little variance: what the surrogate
    does not know is missing. So each prediction is given the error that a map made on a text it was not fitted on,
    drawn at random, and all together vary as true vectors do.
    """
    folds = np.array_split(rng.permutation(len(own)), FOLDS)
    predicted = np.zeros((len(further), vectors.shape[1]), np.float32)
    errors = np.zeros_like(vectors)
    for place, fold in enumerate(folds):
        others = np.concatenate([each for number, each in enumerate(folds) if number != place])
        found = ridge_map(own, vectors, others, fold)
        errors[fold] = vectors[fold] - found(own[fold])
        predicted += found(further) / np.float32(FOLDS)
    return unit_length(predicted + errors[rng.integers(len(errors), size=len(further))])
