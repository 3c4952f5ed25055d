"""Word vectors made ready to be compared, and the words of a window compared by them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vestige.attacks.multiset.word_vectors import WordVectors
from vestige.checks import as_vectors
from vestige.errors import InputError
from vestige.types import Floats, Integers, Singles

FEWEST_WORDS = 2
BLOCK = 4096


@dataclass(frozen=True)
class WordRows:
    """A row of length 1 a word, and a last one of zeros that stands for every word without a vector."""

    words: Sequence[str]
    units: Singles

    @classmethod
    def of(cls, given: WordVectors, directions: int | None) -> "WordRows":
        """Take away the mean of the vectors, then the `directions` in which they are spread most; None for neither.

        These tell frequent words from rare ones and broad topics apart, and make words alike whether they met or not
        (Mu and Viswanath 2018, "All-but-the-top").
        """
        words, matrix = (list(given), list(given.values())) if isinstance(given, Mapping) else given
        if len(words) != len(matrix):
            raise InputError(f"{len(words)} words but {len(matrix)} word vectors; give one vector a word")
        if len(words) < FEWEST_WORDS:
            raise InputError(f"{len(words)} word vectors, expected at least {FEWEST_WORDS} to compare; give more")
        rows = as_vectors(matrix) if directions is None else _evened(as_vectors(matrix), directions)
        lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return cls(words, np.vstack([rows / lengths, np.zeros((1, rows.shape[1]), np.float32)]))

    def numbers(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    def in_order_of(self, words: Sequence[str]) -> "WordRows":
        """The rows of other words, in their order."""
        known = self.numbers()
        return WordRows(words, self.units[[*(known.get(word, -1) for word in words), -1]])

    def middle_to_rest(self, windows: Integers) -> Floats:
        """The mean cosine of the word in the middle with the known words around it, which are at least one."""
        middle, around = windows.shape[1] // 2, (windows >= 0).sum(axis=1) - 1
        own = np.square(self.units).sum(axis=1, dtype=np.float64)[windows[:, middle]]
        means: Floats = (_products(self.units, windows, windows[:, middle : middle + 1]) - own) / around
        return means

    def all_to_all(self, windows: Integers, rarity: Floats) -> Floats:
        """The mean cosine of every two words, a pair weighing the rarities of the two multiplied.

        The sum of all rows times itself holds each pair twice and each word with itself once.
        """
        weighted = (self.units * rarity[:, None]).astype(np.float32)
        own = np.square(weighted).sum(axis=1, dtype=np.float64)[windows].sum(axis=1)
        weights = rarity[windows]
        pairs = np.square(weights.sum(axis=1)) - np.square(weights).sum(axis=1)
        means: Floats = (_products(weighted, windows, windows) - own) / pairs
        return means


def _products(rows: Singles, some: Integers, others: Integers) -> Floats:
    """The sum of some rows times the sum of others."""
    products = [
        np.einsum("nd,nd->n", _sums(rows, some[start : start + BLOCK]), _sums(rows, others[start : start + BLOCK]))
        for start in range(0, len(some), BLOCK)
    ]
    return np.concatenate(products).astype(np.float64)


def _sums(rows: Singles, numbers: Integers) -> Singles:
    sums = rows[numbers[:, 0]]
    for column in numbers.T[1:]:
        sums += rows[column]
    return sums


def _evened(table: Singles, directions: int) -> Singles:
    centred = table - table.mean(axis=0, dtype=np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    largest = axes[:, len(axes) - min(directions, len(axes) - 1) :]
    rest: Singles = (centred - centred @ largest @ largest.T).astype(np.float32)
    return rest
