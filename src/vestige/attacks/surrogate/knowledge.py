"""What the adversary holds once its queries are spent."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from vestige.types import Flags, Integers, Singles


@dataclass(frozen=True)
class Documents:
    """Texts as the surrogate sees them, and how much each word of the vocabulary matters in each."""

    vectors: Singles
    weights: sparse.csr_array

    def scaled(self, by: np.float32) -> "Documents":
        """The same texts with all vectors so many times as long."""
        return Documents(by * self.vectors, self.weights)

    def __len__(self) -> int:
        return len(self.vectors)


@dataclass(frozen=True)
class Knowledge:
    """All vectors of one encoder scaled alike.

    `answers` are the private encoder's vectors of the rows `queried` of the pool; `targets` are the victims'.
    """

    targets: Singles
    pool: Documents
    queried: Integers
    answers: Singles
    external: Documents

    def without(self, held: Flags) -> "Knowledge":
        """As if these of the queried documents had never been there."""
        kept = np.setdiff1d(np.arange(len(self.pool)), self.queried[held])
        pool = Documents(self.pool.vectors[kept], self.pool.weights[kept])
        return replace(self, pool=pool, queried=np.searchsorted(kept, self.queried[~held]), answers=self.answers[~held])
