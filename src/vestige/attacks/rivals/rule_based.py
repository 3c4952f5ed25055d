"""RB, the rule: the words that matter most in the documents one has, for every document alike."""

from typing import Self

import numpy as np

from vestige.attacks.rivals.ranking import ranked_words
from vestige.checks import as_vectors
from vestige.errors import InputError, NotFitted
from vestige.text.importance.record import Importance
from vestige.types import Vectors, WordGuesses


class MeanImportance:
    """Ranks words by their mean importance, without looking at the vectors: the prior of this question.

    The adversary sees: documents of the same kind as the private ones, and asks the encoder nothing.
    Shapes: `fit` takes the importance of n documents, `infer` takes (m, d) vectors and gives m rankings, all the same.
    Paper: Chen 2023, Section 5.0.1, where it is called RB. The words that its Figure D.1 prints for it are no frequent
    ones, so that what was measured there may not be the rule as it is described.
    """

    def fit(self, importance: Importance) -> Self:
        """Take the mean."""
        if not importance.weights.nnz:
            raise InputError(f"none of {len(importance)} documents holds a word of the vocabulary; give others")
        self.words_ = importance.words
        self.mean_ = np.asarray(importance.weights.mean(axis=0), dtype=np.float32).ravel()
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """The same ranking for every vector."""
        if not hasattr(self, "mean_"):
            raise NotFitted("MeanImportance.infer was called before fit; call fit(importance) first")
        return ranked_words(as_vectors(vectors), self.words_, lambda block: np.tile(self.mean_, (len(block), 1)))
