"""What the vector alone gives a stranger who may not ask: the nearest text it has."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from vestige.attacks.checks import as_pairs
from vestige.checks import as_vectors
from vestige.errors import NotFitted
from vestige.types import TextGuesses, Trial, Vectors

ROWS_AT_ONCE = 1024


class NearestText:
    """Gives for each vector the auxiliary text whose vector has the largest cosine with it.

    The adversary sees: pairs of vectors and texts, and the target vectors; it asks the encoder nothing. It is the prior
    of guided inversion that has the vector but not the loop.
    """

    def fit(self, vectors: Vectors, texts: Sequence[str]) -> Self:
        """Keep the pairs."""
        self.vectors_ = unit_length(as_pairs(vectors, texts, fewest=1))
        self.texts_ = list(texts)
        return self

    def infer(self, vectors: Vectors) -> TextGuesses:
        """The nearest text for each vector; of equally near ones, the first."""
        if not hasattr(self, "texts_"):
            raise NotFitted("NearestText.infer was called before fit; call fit(vectors, texts) first")
        vectors = as_vectors(vectors, self.vectors_.shape[1])
        trails = []
        for start in range(0, len(vectors), ROWS_AT_ONCE):
            cosines = unit_length(vectors[start : start + ROWS_AT_ONCE]) @ self.vectors_.T
            trails += [[Trial(0, self.texts_[row.argmax()], float(row.max()))] for row in cosines]
        return TextGuesses([trail[0].text for trail in trails], trails)


def unit_length(vectors: Vectors) -> Vectors:
    """Each row divided by its length; a row of zeros stays one."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12))
