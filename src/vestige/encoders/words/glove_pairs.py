"""GloVe's objective over some of the pairs, and its slope, without a loop over pairs."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import sparse

from vestige.types import Vectors

if TYPE_CHECKING:
    from torch import Tensor

Ids = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Slope:
    """The loss of some pairs and its gradient for the rows and columns they touch."""

    loss: float
    words: Vectors
    contexts: Vectors


@dataclass(frozen=True)
class Pairs:
    """Some of the pairs of words that stand near one another.

    `rows` and `columns` are the words and contexts that occur; `places` says, in those, where the pairs lie and holds
    their weights; `logs` are the logarithms of their counts in the same places.
    """

    rows: Ids
    columns: Ids
    places: sparse.csr_array
    logs: "Tensor"

    @classmethod
    def at(cls, words: Ids, contexts: Ids, logs: Vectors, weights: Vectors) -> "Pairs":
        """Pairs in any order, none of them twice."""
        rows, row = np.unique(words, return_inverse=True)
        columns, column = np.unique(contexts, return_inverse=True)
        shape = (len(rows), len(columns))
        places = sparse.coo_array((weights, (row, column)), shape=shape).tocsr()
        return cls(rows, columns, places, _as_torch(sparse.coo_array((logs, (row, column)), shape=shape).tocsr()))

    def slope(self, words: Vectors, contexts: Vectors) -> Slope:
        """Half the weighted squares of product less log count, summed, and the gradient of that sum.

        The products are taken only where there is a pair: torch's `sampled_addmm`, some seven times as fast as
        gathering two rows a pair. The gradients are sparse times dense, row by row, so no thread can change a bit.
        """
        import torch

        products = torch.from_numpy(words), torch.from_numpy(contexts).T
        misses = torch.sparse.sampled_addmm(self.logs, *products, beta=-1).values().numpy()
        places = self.places
        pulls = sparse.csr_array((places.data * misses, places.indices, places.indptr), places.shape)
        return Slope(float(pulls.data @ misses) / 2, pulls @ contexts, pulls.T @ words)


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch to one thread: for products as small as these a second one spends its time waiting."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _as_torch(matrix: sparse.csr_array) -> "Tensor":
    import torch

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
        starts, columns, values = map(torch.from_numpy, (matrix.indptr, matrix.indices, matrix.data))
        return torch.sparse_csr_tensor(starts, columns, values, size=matrix.shape, check_invariants=True)
