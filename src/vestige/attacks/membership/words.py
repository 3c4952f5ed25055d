"""Membership of a window of words in the text that word vectors were trained on (S9)."""

from collections.abc import Sequence
from itertools import chain
from typing import Literal, Self

import numpy as np

from vestige.attacks.checks import check_floor
from vestige.attacks.membership.word_rows import WordRows
from vestige.attacks.multiset.word_vectors import WordVectors
from vestige.checks import check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Flags, Floats, Integers, MembershipGuesses

UNREADABLE = -1.0
"""The score of a window without two words to compare: a model that does not know its words hardly learned from it."""


class WordMembership:
    """Scores windows of words by how near to one another the vectors of their words are.

    The adversary sees: the word vectors, those of frequent words first, as word2vec, fastText and GloVe write them;
    and, if they have such, `reference` vectors, trained in the same way on public text of the same kind.
    Shapes: `infer` takes n windows of one odd number of words and gives n scores.
    Paper: Song and Raghunathan, CCS 2020, Algorithm 4.

    `recipe="song"` is the published score: the mean cosine of the word in the middle with those around it. The default
    compares every word with every other, rare ones counting more. It takes away the mean of the vectors and the few
    `directions` in which they are spread most, which make words alike that never met; and, given a reference, `trust`
    times the score by its vectors, which is how near the words are anyway. Words without a vector are left out.
    """

    def __init__(
        self, *, recipe: Literal["default", "song"] = "default", directions: int = 3, trust: float = 0.5
    ) -> None:
        self.recipe = recipe
        self.directions = directions
        self.trust = trust

    def fit(self, word_vectors: WordVectors, *, reference: WordVectors | None = None) -> Self:
        """Make the vectors ready; there is nothing to train."""
        check_choice("recipe", self.recipe, ("default", "song"))
        check_floor("directions", self.directions, 0)
        check_floor("trust", self.trust, 0)
        if self.recipe == "song" and reference is not None:
            raise InputError("the recipe 'song' has no use for reference vectors; leave out one or the other")
        directions = None if self.recipe == "song" else self.directions
        self.rows_ = WordRows.of(word_vectors, directions)
        self.numbers_ = self.rows_.numbers()
        self.reference_: WordRows | None = None
        if reference is not None:
            self.reference_ = WordRows.of(reference, directions).in_order_of(self.rows_.words)
        return self

    def infer(self, windows: Sequence[Sequence[str]]) -> MembershipGuesses:
        """A score a window, higher for likelier members."""
        if not hasattr(self, "rows_"):
            raise NotFitted("WordMembership.infer was called before fit; call fit(word_vectors) first")
        if not len(windows):
            return MembershipGuesses(np.zeros(0))
        found = self._find(windows)
        readable = self._readable(found)
        scores = np.full(len(windows), UNREADABLE)
        scores[readable] = self._scores(found[readable])
        return MembershipGuesses(scores)

    def _find(self, windows: Sequence[Sequence[str]]) -> Integers:
        """The row of each word of each window; -1, the row of zeros, for an unknown one."""
        width, find = _width(windows), self.numbers_.get
        found = np.fromiter((find(word, -1) for word in chain.from_iterable(windows)), dtype=np.int64)
        return found.reshape(-1, width)

    def _readable(self, found: Integers) -> Flags:
        """Which windows have two known words to compare, one of them in the middle by the paper's recipe."""
        known = found >= 0
        readable: Flags = known.sum(axis=1) > 1
        if self.recipe == "song":
            readable &= known[:, found.shape[1] // 2]
        if not readable.any():
            raise InputError(
                f"none of {len(found)} windows has two words to compare that have a vector; give windows in words "
                "that the vectors have, written as they are there"
            )
        return readable

    def _scores(self, found: Integers) -> Floats:
        if self.recipe == "song":
            return self.rows_.middle_to_rest(found)
        rarity = np.append(np.log(2 + np.arange(len(self.rows_.words))) ** 2, 0)
        scores = self.rows_.all_to_all(found, rarity)
        if self.reference_ is not None:
            scores -= self.trust * self.reference_.all_to_all(found, rarity)
        return scores


def _width(windows: Sequence[Sequence[str]]) -> int:
    """How many words every window has."""
    if isinstance(windows[0], str):
        raise InputError(f"the first window is the string {windows[0]!r}; give a list of words a window")
    widths = sorted({len(window) for window in windows})
    if len(widths) > 1:
        raise InputError(f"windows of {widths[0]} to {widths[-1]} words; give windows of one width")
    if widths[0] < 3 or not widths[0] % 2:
        raise InputError(
            f"windows of {widths[0]} words have no middle with words around it; give an odd number of words, such as 5"
        )
    return widths[0]
