"""What any map must leak that preserves neighbours: a bound for defenses that have not been invented yet.

An attacker who knows what the other rows of a store contain needs no more than the list of the nearest ones: a row has
what its neighbours have. A map that preserves a share of the neighbours preserves that much of the attack. The bound
grants the map the worst: the neighbours that it loses are those, and are replaced by those, that mislead most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import sparse
from scipy.optimize import minimize_scalar

from vestige.errors import InputError
from vestige.types import Flags, Floats, Integers, Vectors

MOST_EXCHANGED = 4
"""So many exchanges in one list of neighbours are considered; behind more, nothing is left of its score."""

SMOOTHING = 10.0
"""What is known of a word from its own counts weighs as much as what is known of all words after so many texts."""

_ROWS_AT_ONCE = 1000


def find_neighbours(
    vectors: Vectors,
    table: Vectors,
    k: int = 10,
    *,
    documents: tuple[Sequence[str], Sequence[str]] | None = None,
) -> Integers:
    """Per vector the rows of the k nearest of the table by cosine, nearest first; the earlier row among equals.

    With the `documents` of vectors and table, rows of a vector's own document are not its neighbours.
    """
    if not 1 <= k <= len(table):
        raise InputError(f"The 'k' parameter must be from 1 to {len(table)}, the rows of the table. Got {k} instead.")
    known = _unit(table)
    own, theirs = (None, None) if documents is None else map(np.asarray, documents)
    found = []
    for first in range(0, len(vectors), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
        cosines = _unit(vectors[rows]) @ known.T
        if own is not None:
            cosines[own[rows, None] == theirs] = -np.inf
        found.append(np.argsort(-cosines, axis=1, kind="stable")[:, :k])
    return np.concatenate(found)


def list_recall(before: Integers, after: Integers) -> Floats:
    """Per row the share of the neighbours before that are neighbours after."""
    kept: Floats = (before[:, :, None] == after[:, None, :]).any(axis=2).mean(axis=1)
    return kept


def count_votes(classes: Integers, neighbours: Integers) -> Floats:
    """Per row, how many of its neighbours belong to each class; classes are numbered from 0."""
    votes: Floats = np.eye(int(classes.max()) + 1)[classes[neighbours]].sum(axis=1)
    return votes


def vote_hits(votes: Floats, weights: Floats, truth: Integers) -> Floats:
    """1 where the class with the largest weighted vote is the true one; a draw counts as a miss."""
    return (_edits_to_miss(votes, weights, truth) > 0).astype(np.float64)


def vote_curve(votes: Floats, weights: Floats, truth: Integers) -> Floats:
    """Per row, (k + 1) numbers: whether the vote is surely right after 0, 1, ... k of its neighbours were exchanged."""
    k = round(float(votes.sum(axis=1).max()))
    curve: Floats = (np.arange(k + 1) < _edits_to_miss(votes, weights, truth)[:, None]).astype(np.float64)
    return curve


@dataclass(frozen=True, eq=False)
class WordVote:
    """Guesses the words that enough of the k neighbours of a row contain.

    `table` has a row per known text and a column per word. `thresholds` say, word by word, how many neighbours are
    enough; k + 1 stands for never. They are learned from known rows, by how often a word was in texts of which so many
    neighbours contained it.
    """

    table: sparse.csr_array
    thresholds: Integers

    @classmethod
    def learn(cls, table: sparse.csr_array, near: Integers, certainty: float) -> "WordVote":
        """`near` has the neighbours of each row of the table; a word counts if it is there with this probability."""
        (k, words), counts = (near.shape[1], table.shape[1]), count_words(table, near)
        held, right = (_tabulate(each, k, words) for each in (counts, counts.multiply(table)))
        pooled = right.sum(axis=1, keepdims=True) / np.maximum(held.sum(axis=1, keepdims=True), 1)
        likely = (right + SMOOTHING * pooled) / (held + SMOOTHING) >= certainty
        likely[0] = False
        return cls(table, np.where(likely.any(axis=0), likely.argmax(axis=0), k + 1))

    def guess(self, near: Integers) -> Flags:
        """Per row, which words are guessed."""
        guessed: Flags = count_words(self.table, near).toarray() >= self.thresholds
        return guessed

    def curve(self, near: Integers, truth: sparse.csr_array) -> Floats:
        """Per row, (k + 1) numbers: the F1 that is left, at least, after 0, 1, ... k of its neighbours were exchanged.

        Whichever neighbours are lost, the others still vote, and new ones take no vote away. A new neighbour can bring
        at most as many wrong words over their thresholds as the known text has that contains most of those in reach.
        """
        found = np.zeros((len(near), near.shape[1] + 1))
        columns = self.table.tocsc()
        for row, listed in enumerate(near):
            own = truth[[row]].toarray()[0] > 0
            counts = self.table[listed].toarray()
            reached = np.flatnonzero(counts.any(axis=0) | (self.thresholds <= MOST_EXCHANGED))
            known = columns[:, reached]
            for edits in range(min(MOST_EXCHANGED, near.shape[1]) + 1):
                left = _keep_all_but(edits, near.shape[1]) @ counts[:, reached]
                found[row, edits] = self._find_least(left, edits, own[reached], int(own.sum()), reached, known)
        least: Floats = np.minimum.accumulate(found, axis=1)
        return least

    def _find_least(
        self, counts: Floats, edits: int, own: Flags, held: int, reached: Integers, known: sparse.csc_array
    ) -> float:
        """The lowest F1 over the choices of the neighbours that are lost, one row of `counts` each."""
        needed = self.thresholds[reached]
        guessed = counts >= needed
        right, wrong = (guessed & own).sum(axis=1), (guessed & ~own).sum(axis=1)
        risky = ~own & ~guessed & (counts + edits >= needed)
        brought = np.minimum((known @ risky.T.astype(np.int32)).max(axis=0) * edits, risky.sum(axis=1))
        return float((2 * right / np.maximum(right + wrong + brought + held, 1)).min())


def count_words(table: sparse.csr_array, near: Integers) -> sparse.csr_array:
    """Per row of `near`, how many of its neighbours contain each word."""
    rows, k = near.shape
    lists = sparse.csr_array(
        (np.ones(rows * k, np.int32), near.ravel(), np.arange(0, rows * k + 1, k)), (rows, table.shape[0])
    )
    return lists @ table


def find_price(curves: Floats, lost: float) -> float:
    """What an exchange of a neighbour must cost for the worst plan to exchange `lost` of all neighbours."""
    if not 0 <= lost <= 1:
        raise InputError(f"The 'lost' parameter must be from 0 to 1. Got {lost} instead.")

    def miss(price: float) -> float:
        return -float(least_left(curves, lost, price).mean())

    return float(minimize_scalar(miss, bounds=(0, 1), method="bounded", options={"xatol": 1e-7}).x)


def least_left(curves: Floats, lost: float, price: float) -> Floats:
    """Per row a number; their mean is at most what is left of the score if `lost` of all neighbours were exchanged.

    Row i of `curves` has what is left of the score of row i, from 0 to 1, after 0, 1, ... k exchanges, wherever they
    hurt most. This is the dual of the worst plan, so it holds for any price, on any rows; `find_price` finds the best.
    """
    k = curves.shape[1] - 1
    left: Floats = (curves + price * np.arange(k + 1)).min(axis=1) - price * lost * k
    return left


def _tabulate(counts: sparse.csr_array, k: int, words: int) -> Floats:
    """By number of neighbours and word: in how many rows so many neighbours contain the word."""
    cells = counts.tocoo()
    filled = cells.data > 0
    place = cells.data[filled].astype(np.int64) * words + cells.col[filled]
    return np.bincount(place, minlength=(k + 1) * words).reshape(k + 1, words).astype(np.float64)


def _keep_all_but(lost: int, k: int) -> Integers:
    """Every choice of k - lost of k neighbours, a row of ones and zeros each."""
    gone = [list(each) for each in combinations(range(k), lost)]
    kept = np.ones((len(gone), k), np.int64)
    for row, each in enumerate(gone):
        kept[row, each] = 0
    return kept


def _edits_to_miss(votes: Floats, weights: Floats, truth: Integers) -> Integers:
    """The fewest exchanges of neighbours after which another class has at least as large a weighted vote."""
    rows = np.arange(len(votes))
    lead = (votes * weights)[rows, truth][:, None] - votes * weights
    needed = np.ceil(lead / (weights[truth][:, None] + weights) - 1e-9)
    needed[rows, truth] = np.inf
    fewest: Integers = np.clip(needed.min(axis=1), 0, None).astype(np.int64)
    return fewest


def _unit(vectors: Vectors) -> Vectors:
    units: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return units
