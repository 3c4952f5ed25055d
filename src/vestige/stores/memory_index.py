"""A small in-memory index that answers queries with cosines, and the precisions in which stores keep vectors."""

from collections.abc import Callable

import numpy as np

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.vector_checks import as_checked_vectors
from vestige.types import Floats, Vectors

ROWS_AT_ONCE = 256


class MemoryIndex:
    """Exact search over vectors stored in one of the `FORMS`; queries keep full precision.

    `searches` counts the queries answered.
    """

    def __init__(self, vectors: Vectors, *, form: str = "float32") -> None:
        if form not in FORMS:
            raise InputError(f"unknown form '{form}'; {nearest(form, list(FORMS))}")
        self.form = form
        self.searches = 0
        self._stored = _normalize(FORMS[form](as_checked_vectors(vectors, "the vectors to index")))

    def __len__(self) -> int:
        return len(self._stored)

    def search(self, vectors: Vectors, k: int) -> Floats:
        """Return the cosines with the `k` nearest stored vectors, best first; shape (queries, k)."""
        if not 1 <= k <= len(self):
            raise InputError(
                f"cannot find the {k} nearest of {len(self)} stored vectors; expected k from 1 to {len(self)}"
            )
        nearest_cosines = np.empty((len(vectors), k))
        for start in range(0, len(vectors), ROWS_AT_ONCE):
            cosines = _normalize(vectors[start : start + ROWS_AT_ONCE]) @ self._stored.T
            best = np.partition(cosines, len(self) - k, axis=1)[:, len(self) - k :]
            nearest_cosines[start : start + ROWS_AT_ONCE] = np.sort(best, axis=1)[:, ::-1]
        self.searches += len(vectors)
        return nearest_cosines


def as_float32(vectors: Vectors) -> Vectors:
    """Single precision, unchanged."""
    return np.asarray(vectors, np.float32)


def as_float16(vectors: Vectors) -> Vectors:
    """Round to half precision."""
    return np.asarray(vectors, np.float16).astype(np.float32)


def as_int8(vectors: Vectors) -> Vectors:
    """Round each number to one of 255 steps between minus and plus the largest of its row; zeros stay zeros."""
    step = np.abs(vectors).max(axis=1, keepdims=True, initial=0) / 127
    return np.asarray(np.rint(vectors / np.where(step, step, 1)) * step, np.float32)


def as_binary(vectors: Vectors) -> Vectors:
    """Replace each number by its sign, 1 or -1; zero counts as negative."""
    return np.where(np.asarray(vectors) > 0, np.float32(1), np.float32(-1))


FORMS: dict[str, Callable[[Vectors], Vectors]] = {
    "float32": as_float32,
    "float16": as_float16,
    "int8": as_int8,
    "binary": as_binary,
}


def _normalize(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)
