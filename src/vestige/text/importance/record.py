"""How much each word of a vocabulary matters in each of some documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import sparse

from vestige.errors import InputError


@dataclass(frozen=True)
class Importance:
    """`weights` has a row a document and a column a word: 0 where the word is not in it, larger where it matters more.

    `tagged` is False where no tagger was there, so that words other than nouns and verbs were not left out.
    """

    words: tuple[str, ...]
    weights: sparse.csr_array
    tagged: bool = True

    def __post_init__(self) -> None:
        """A column a word, and no weight below nothing."""
        if self.weights.shape[1] != len(self.words):
            raise InputError(f"{self.weights.shape[1]} columns of weights but {len(self.words)} words; give one a word")
        if self.weights.nnz and not self.weights.data.min() >= 0:
            raise InputError("weights hold a number below 0, or none at all; give 0 to a word that does not matter")

    def __len__(self) -> int:
        return int(self.weights.shape[0])

    def take(self, rows: Sequence[int]) -> "Importance":
        """The documents of these rows."""
        return Importance(self.words, self.weights[np.asarray(rows, dtype=np.int64)], self.tagged)


class Weigher(Protocol):
    """Weighs the words of documents; the columns are `words`."""

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""

    def weigh(self, texts: Sequence[str]) -> Importance:
        """How much each word matters in each text."""
