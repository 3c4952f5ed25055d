"""A wide sparse table made narrow and dense: the columns that most of the known texts use."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import sparse

from vestige.types import Integers, Vectors

MOST_COLUMNS = 4096
"""A covariance of so many columns is decomposed in about a minute on one core."""


@dataclass(frozen=True)
class KeptColumns:
    """The columns of a table that an attack in closed form looks at; all of them if the table is dense.

    A column of a sparse table counts a word, or a few words by a hash. The columns that most texts use are those of the
    most frequent words, which an attack looks for; a column that few texts use has little to learn from.
    """

    width: int
    columns: Integers | None

    @classmethod
    def choose(cls, vectors: Vectors, most: int = MOST_COLUMNS) -> "KeptColumns":
        """The `most` columns that are not zero in most rows, in rising order; a dense table keeps all."""
        if not sparse.issparse(vectors):
            return cls(vectors.shape[1], None)
        table: sparse.csr_array = vectors
        uses = np.bincount(table.indices[table.data != 0], minlength=table.shape[1])
        best = np.argsort(-uses, kind="stable")[: max(1, min(most, int((uses > 0).sum())))]
        return cls(table.shape[1], np.sort(best))

    def take(self, vectors: Vectors) -> Vectors:
        """These columns as a dense table."""
        if not sparse.issparse(vectors):
            return vectors if self.columns is None else np.ascontiguousarray(vectors[:, self.columns])
        table: sparse.csr_array = vectors
        return cast("Vectors", (table if self.columns is None else table[:, self.columns]).toarray())
