"""What text of this kind reads like: a bigram model with the smoothing of Kneser and Ney (1995)."""

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from vestige.types import Floats, Integers

DISCOUNT = 0.75


class BigramModel:
    """Which word follows which.

    A pair seen c times after a word seen n times in all has (c - D) / n of the probability; what the discount D takes
    away goes to words by the number of different words they follow.
    """

    def __init__(self, texts: Sequence[Sequence[int]], edge: int) -> None:
        pairs = np.array([pair for text in texts for pair in zip([edge, *text], [*text, edge], strict=True)])
        size = edge + 1
        seen = sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(size, size)).tocsr()
        seen.sum_duplicates()
        self._seen = seen
        self._total = np.maximum(np.asarray(seen.sum(axis=1)).ravel(), 1)
        self._spared = np.where(np.diff(seen.indptr) > 0, DISCOUNT * np.diff(seen.indptr) / self._total, 1)
        followed = np.bincount(seen.indices, minlength=size) + 0.5
        self._continuation = followed / followed.sum()

    def table(self, words: Integers) -> Floats:
        """Log probabilities among these words: row, the word before; column, the word after."""
        seen = np.maximum(self._seen[words][:, words].toarray() - DISCOUNT, 0) / self._total[words, None]
        table: Floats = np.log(seen + self._spared[words, None] * self._continuation[words])
        return table
