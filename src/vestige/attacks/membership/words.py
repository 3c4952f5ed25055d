"""Membership of a window of words in the text that word vectors were trained on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import check_floor
from vestige.attacks.word_vectors import WordVectors
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Flags, Floats, Integers, MembershipGuesses, Singles

FEWEST_WORDS = 2
BLOCK = 4096
NOT_COMPARABLE = -1.0
"""The score of a window without two words to compare: a model that does not know its words hardly learned from it."""


class WordMembership:
    """Scores windows of words by how near to one another the vectors of their words are.

    The adversary sees: the word vectors, frequent words first, as word2vec, fastText and GloVe write them; and, if it
    has them, `reference` vectors, trained in the same way on public text of the same kind. Shapes: `infer` takes n
    windows of one odd number of words and returns n scores. Paper: Song and Raghunathan, CCS 2020, Algorithm 4.

    `recipe="song"` is the published score: the mean cosine of the word in the middle with those around it. The default
    compares every word with every other, rare ones counting more. It removes the mean of the vectors and the few
    `directions` of largest variance, which make words similar that never co-occurred; and, given a reference, subtracts
    `trust` times the score of its vectors, which is how near the words are anyway. Words without a vector are skipped.
    """

    info = AttackInfo(
        name="word-membership",
        summary="infers whether word vectors were trained on a window of words (Song and Raghunathan 2020)",
        output=MembershipGuesses,
        access=("vectors",),
        paper="Song and Raghunathan, CCS 2020, Section 5, Algorithm 4",
        recipes=("default", "song"),
        named_recipes={"song-word-membership": {"recipe": "song"}},
    )

    def __init__(
        self, *, recipe: Literal["default", "song"] = "default", directions: int = 3, trust: float = 0.5
    ) -> None:
        self.recipe = recipe
        self.directions = directions
        self.trust = trust

    def fit(self, word_vectors: WordVectors, *, reference: WordVectors | None = None) -> Self:
        """Prepare the vectors; nothing is trained."""
        check_choice("recipe", self.recipe, ("default", "song"))
        check_floor("directions", self.directions, 0)
        check_floor("trust", self.trust, 0)
        if self.recipe == "song" and reference is not None:
            raise InputError("the recipe 'song' does not use reference vectors; drop one or the other")
        directions = None if self.recipe == "song" else self.directions
        self.rows_ = WordRows.build(word_vectors, directions)
        self.index_ = self.rows_.index()
        self.reference_: WordRows | None = None
        if reference is not None:
            self.reference_ = WordRows.build(reference, directions).reorder(self.rows_.words)
        return self

    def infer(self, windows: Sequence[Sequence[str]]) -> MembershipGuesses:
        """One score per window, higher for likelier members."""
        if not hasattr(self, "rows_"):
            raise NotFitted("WordMembership.infer was called before fit; call fit(word_vectors) first")
        if not len(windows):
            return MembershipGuesses(np.zeros(0))
        found = self._find(windows)
        comparable = self._comparable(found)
        scores = np.full(len(windows), NOT_COMPARABLE)
        scores[comparable] = self._scores(found[comparable])
        return MembershipGuesses(scores)

    def _find(self, windows: Sequence[Sequence[str]]) -> Integers:
        """The row of each word of each window; -1, the row of zeros, for an unknown one."""
        width, find = _width(windows), self.index_.get
        found = np.fromiter((find(word, -1) for word in chain.from_iterable(windows)), dtype=np.int64)
        return found.reshape(-1, width)

    def _comparable(self, found: Integers) -> Flags:
        """Which windows have two known words to compare; by the paper's recipe, one of them in the middle."""
        known = found >= 0
        comparable: Flags = known.sum(axis=1) > 1
        if self.recipe == "song":
            comparable &= known[:, found.shape[1] // 2]
        if not comparable.any():
            raise InputError(
                f"none of {len(found)} windows has two words to compare that have a vector; give windows in words "
                "that the vectors have, written as they are there"
            )
        return comparable

    def _scores(self, found: Integers) -> Floats:
        if self.recipe == "song":
            return self.rows_.middle_to_rest(found)
        rarity = np.append(np.log(2 + np.arange(len(self.rows_.words))) ** 2, 0)
        scores = self.rows_.all_to_all(found, rarity)
        if self.reference_ is not None:
            scores -= self.trust * self.reference_.all_to_all(found, rarity)
        return scores


def _width(windows: Sequence[Sequence[str]]) -> int:
    """The number of words of every window."""
    if isinstance(windows[0], str):
        raise InputError(f"the first window is the string {windows[0]!r}; give a list of words per window")
    widths = sorted({len(window) for window in windows})
    if len(widths) > 1:
        raise InputError(f"windows of {widths[0]} to {widths[-1]} words; give windows of one width")
    if widths[0] < 3 or not widths[0] % 2:
        raise InputError(
            f"windows of {widths[0]} words have no middle with words around it; give an odd number of words, such as 5"
        )
    return widths[0]


@dataclass(frozen=True)
class WordRows:
    """One row of length 1 per word, and a last one of zeros that stands for every word without a vector."""

    words: Sequence[str]
    units: Singles

    @classmethod
    def build(cls, given: WordVectors, directions: int | None) -> "WordRows":
        """Remove the mean of the vectors, then the `directions` of largest variance; None for neither.

        These separate frequent words from rare ones and broad topics, and make words similar whether they co-occurred
        or not (Mu and Viswanath 2018, "All-but-the-top").
        """
        words, matrix = (list(given), list(given.values())) if isinstance(given, Mapping) else given
        if len(words) != len(matrix):
            raise InputError(f"{len(words)} words but {len(matrix)} word vectors; give one vector per word")
        if len(words) < FEWEST_WORDS:
            raise InputError(f"{len(words)} word vectors, expected at least {FEWEST_WORDS} to compare; give more")
        rows = as_vectors(matrix) if directions is None else _remove_directions(as_vectors(matrix), directions)
        lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return cls(words, np.vstack([rows / lengths, np.zeros((1, rows.shape[1]), np.float32)]))

    def index(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    def reorder(self, words: Sequence[str]) -> "WordRows":
        """The rows of other words, in their order."""
        known = self.index()
        return WordRows(words, self.units[[*(known.get(word, -1) for word in words), -1]])

    def middle_to_rest(self, windows: Integers) -> Floats:
        """The mean cosine of the word in the middle with the known words around it, of which there is at least one."""
        middle, around = windows.shape[1] // 2, (windows >= 0).sum(axis=1) - 1
        own = np.square(self.units).sum(axis=1, dtype=np.float64)[windows[:, middle]]
        means: Floats = (_products(self.units, windows, windows[:, middle : middle + 1]) - own) / around
        return means

    def all_to_all(self, windows: Integers, rarity: Floats) -> Floats:
        """The mean cosine of every two words; a pair is weighted by the product of their rarities.

        The sum of all rows times itself contains each pair twice and each word with itself once.
        """
        weighted = (self.units * rarity[:, None]).astype(np.float32)
        own = np.square(weighted).sum(axis=1, dtype=np.float64)[windows].sum(axis=1)
        weights = rarity[windows]
        pairs = np.square(weights.sum(axis=1)) - np.square(weights).sum(axis=1)
        means: Floats = (_products(weighted, windows, windows) - own) / pairs
        return means


def _products(rows: Singles, some: Integers, others: Integers) -> Floats:
    """The dot product of the sum of some rows with the sum of others."""
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


def _remove_directions(table: Singles, directions: int) -> Singles:
    centred = table - table.mean(axis=0, dtype=np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    largest = axes[:, len(axes) - min(directions, len(axes) - 1) :]
    rest: Singles = (centred - centred @ largest @ largest.T).astype(np.float32)
    return rest
