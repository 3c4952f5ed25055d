"""Consecutive sentences: what a dual encoder learns from, and whose membership is inferred."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.types import Flags, Floats, Integers, Vectors


@dataclass(frozen=True)
class SentencePairs:
    """Vectors of sentences and of those that follow them, one row per pair."""

    first: Vectors
    second: Vectors

    @classmethod
    def from_rows(cls, vectors: Vectors, rows: Integers) -> Self:
        """The vectors in these rows, each with the one after it."""
        return cls(vectors[rows], vectors[rows + 1])

    def take(self, chosen: Flags) -> "SentencePairs":
        """The chosen pairs."""
        return SentencePairs(self.first[chosen], self.second[chosen])

    @property
    def products(self) -> Floats:
        """The dot product of each pair."""
        return _products(self.first, self.second)

    @property
    def squares(self) -> Floats:
        """The sum of the squared lengths of both vectors of each pair."""
        return _products(self.first, self.first) + _products(self.second, self.second)


def _products(left: Vectors, right: Vectors) -> Floats:
    products: Floats = np.einsum("ij,ij->i", left, right, dtype=np.float64)
    return products


def find_neighbours(documents: Sequence[str]) -> Integers:
    """The rows that are followed by the next sentence of the same document; `documents` names the document of each row.

    The rows of a document are contiguous, in the order of its sentences.
    """
    names = np.asarray(documents, dtype=np.str_)
    follows = names[:-1] == names[1:]
    starts = np.flatnonzero(np.append(True, ~follows)) if len(names) else np.empty(0, dtype=np.int64)
    _check_contiguous(names[starts])
    alone = np.flatnonzero(np.diff(np.append(starts, len(names))) == 1)
    if len(alone):
        raise InputError(
            f"{len(alone)} of {len(starts)} documents, such as {str(names[starts[alone[0]]])!r}, have one sentence; "
            "a pair needs two; drop these documents"
        )
    return np.flatnonzero(follows).astype(np.int64)


def _check_contiguous(names: npt.NDArray[np.str_]) -> None:
    seen, counts = np.unique(names, return_counts=True)
    scattered = seen[counts > 1]
    if len(scattered):
        raise InputError(
            f"the sentences of {len(scattered)} documents, such as {str(scattered[0])!r}, are not contiguous; "
            "expected all sentences of a document in a row, in their order; sort them, or rename the documents"
        )
