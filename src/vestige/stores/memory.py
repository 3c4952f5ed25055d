"""A small vector store in memory that answers with scores: exact search, by products in blocks."""

import numpy as np

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.forms import FORMS
from vestige.stores.read import checked
from vestige.types import Floats, Vectors

ROWS_AT_ONCE = 256


class MemoryIndex:
    """Keeps vectors in one of the `FORMS`, and gives the cosines of a query, in full precision, with what is kept.

    `searches` counts the queries that were answered.
    """

    def __init__(self, vectors: Vectors, *, form: str = "float32") -> None:
        if form not in FORMS:
            raise InputError(f"unknown form '{form}'; {nearest(form, list(FORMS))}")
        self.form = form
        self.searches = 0
        self._kept = _unit_length(FORMS[form](checked(vectors, "the vectors to keep")))

    def __len__(self) -> int:
        return len(self._kept)

    def search(self, vectors: Vectors, k: int) -> Floats:
        """The cosines with the `k` nearest kept vectors, best first; a row a query."""
        if not 1 <= k <= len(self):
            raise InputError(f"the {k} nearest of {len(self)} kept vectors were asked for; expected 1 to {len(self)}")
        found = np.empty((len(vectors), k))
        for start in range(0, len(vectors), ROWS_AT_ONCE):
            cosines = _unit_length(vectors[start : start + ROWS_AT_ONCE]) @ self._kept.T
            best = np.partition(cosines, len(self) - k, axis=1)[:, len(self) - k :]
            found[start : start + ROWS_AT_ONCE] = np.sort(best, axis=1)[:, ::-1]
        self.searches += len(vectors)
        return found


def _unit_length(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)
