"""RB, the rule: the words that matter most in the documents at hand, for every document alike."""

from typing import Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.baselines.decoder_baseline import rank_words
from vestige.checks import as_vectors
from vestige.errors import InputError, NotFitted
from vestige.text.importance import Importance
from vestige.types import Vectors, WordGuesses


class MeanImportance:
    """Ranks words by their mean importance, without the vectors: the prior of this attack.

    The adversary sees: documents of the same kind as the private ones; it does not query the encoder.
    Shapes: `fit` takes the importance of n documents; `infer` takes (m, d) vectors and returns m equal rankings.
    Paper: Chen 2023, Section 5.0.1, where it is called RB. The words that its Figure D.1 prints for it are not frequent
    ones, so that the paper may not have measured the rule that it describes.
    """

    info = AttackInfo(
        name="importance-mean",
        summary="prior of importance: the words that matter most in similar documents, without vectors (Chen 2023: RB)",
        output=WordGuesses,
        access=("texts",),
        paper="Chen, NTU 2023, Section 5.0.1",
        role="prior",
    )

    def fit(self, importance: Importance) -> Self:
        """Take the mean."""
        if not importance.weights.nnz:
            raise InputError(f"none of {len(importance)} documents contains a word of the vocabulary; give others")
        self.words_ = importance.words
        self.mean_ = np.asarray(importance.weights.mean(axis=0), dtype=np.float32).ravel()
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """The same ranking for every vector."""
        if not hasattr(self, "mean_"):
            raise NotFitted("MeanImportance.infer was called before fit; call fit(importance) first")
        return rank_words(as_vectors(vectors), self.words_, lambda block: np.tile(self.mean_, (len(block), 1)))
