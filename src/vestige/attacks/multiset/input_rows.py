"""The vectors that a network projects first: a dense table, or a sparse one that never becomes dense."""

from dataclasses import dataclass

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from vestige.types import Integers, Vectors


@dataclass(frozen=True)
class InputRows:
    """A batch of vectors: `dense`, or the numbers of columns that are not zero and their `values`, text after text.

    `bounds` is where each text starts.
    """

    dense: Tensor | None
    columns: Tensor
    values: Tensor
    bounds: Tensor

    def __len__(self) -> int:
        return len(self.bounds) if self.dense is None else len(self.dense)

    def project(self, matrix: Tensor) -> Tensor:
        """The product with a matrix that has one row per column of the vectors."""
        if self.dense is not None:
            return self.dense @ matrix
        return torch.nn.functional.embedding_bag(
            self.columns, matrix, self.bounds, mode="sum", per_sample_weights=self.values
        )

    def set_gradient(self, matrix: Tensor, slope: Tensor | None) -> None:
        """Replace the gradient in the matrix, given that in the product; of sparse vectors only the rows in use.

        `clear_gradient` of the batch before has set all other rows to zero.
        """
        assert matrix.grad is not None
        if slope is None:
            matrix.grad.zero_()
        elif self.dense is not None:
            torch.mm(self.dense.T, slope, out=matrix.grad)
        else:
            ends = torch.cat([self.bounds[1:], torch.tensor([len(self.columns)], device=self.bounds.device)])
            texts = torch.repeat_interleave(ends - self.bounds)
            matrix.grad.index_add_(0, self.columns, self.values[:, None] * slope[texts])

    def clear_gradient(self, matrix: Tensor) -> None:
        """Set the rows that `set_gradient` has filled back to zero."""
        if self.dense is None and matrix.grad is not None:
            matrix.grad.index_fill_(0, self.columns, 0.0)


@dataclass(frozen=True)
class ColumnReader:
    """Makes batches of vectors on a device; of sparse vectors it reads the columns that some known text uses.

    A column that no known text uses has nothing to learn from, so that it is left out: its weights would only decay.
    """

    dimension: int
    places: Integers | None
    device: torch.device

    @classmethod
    def build(cls, vectors: Vectors, device: torch.device) -> "ColumnReader":
        """Number the columns in use."""
        if not sparse.issparse(vectors):
            return cls(vectors.shape[1], None, device)
        table: sparse.csr_array = vectors
        used = np.bincount(table.indices, minlength=table.shape[1]) > 0
        return cls(vectors.shape[1], np.where(used, np.cumsum(used) - 1, -1), device)

    @property
    def used(self) -> int:
        """The number of columns that are read."""
        return self.dimension if self.places is None else int(self.places.max(initial=-1)) + 1

    def read(self, vectors: Vectors, rows: Integers) -> InputRows:
        """These rows of the vectors."""
        if self.places is None:
            empty = torch.empty(0)
            return InputRows(torch.from_numpy(vectors[rows]).to(self.device), empty, empty, empty)
        taken: sparse.csr_array = vectors[rows]
        places = self.places[taken.indices]
        known = places >= 0
        kept = np.concatenate([[0], np.cumsum(known)])[taken.indptr[:-1]]
        return InputRows(
            None,
            torch.from_numpy(places[known]).to(self.device),
            torch.from_numpy(taken.data[known].astype(np.float32)).to(self.device),
            torch.from_numpy(kept).to(self.device),
        )
