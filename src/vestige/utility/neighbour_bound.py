"""What any map must leak that preserves neighbours: a bound for defenses that have not been invented yet.

An attacker who knows what the other rows of a store contain needs no more than the list of the nearest ones: a row has
what its neighbours have. A map that preserves a share of the neighbours preserves that much of the attack. The bound
grants the map the worst: the neighbours that it loses are those, and are replaced by those, that mislead most.
"""

from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.types import Floats, Integers, Vectors

_ROWS_AT_ONCE = 1000


def find_neighbours(vectors: Vectors, table: Vectors, k: int = 10) -> Integers:
    """Per vector the rows of the k nearest of the table by cosine, nearest first; the earlier row among equals."""
    if not 1 <= k <= len(table):
        raise InputError(f"The 'k' parameter must be from 1 to {len(table)}, the rows of the table. Got {k} instead.")
    known = _unit(table)
    found = [
        np.argsort(-(_unit(vectors[first : first + _ROWS_AT_ONCE]) @ known.T), axis=1, kind="stable")[:, :k]
        for first in range(0, len(vectors), _ROWS_AT_ONCE)
    ]
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


def word_curve(truth: Sequence[frozenset[str]], voted: Sequence[dict[str, int]], quorum: int, k: int) -> Floats:
    """Per row, (k + 1) numbers: the F1 that is left, at least, after 0, 1, ... k of its neighbours were exchanged.

    The attacker guesses the words that `quorum` or more of the k neighbours contain; `voted` has the votes of each
    word. An exchange takes a vote from some words and adds one to others. So a word is surely guessed after e of them
    if it has `quorum` + e votes, and surely not if it has fewer than `quorum` - e. From `quorum` exchanges on, nothing
    is sure.
    """
    curve = np.zeros((len(truth), k + 1))
    for row, (own, votes) in enumerate(zip(truth, voted, strict=True)):
        for edits in range(min(quorum, k + 1)):
            right = sum(votes.get(word, 0) >= quorum + edits for word in own)
            wrong = sum(count >= quorum - edits for word, count in votes.items() if word not in own)
            curve[row, edits] = 2 * right / max(right + wrong + len(own), 1)
    return curve


def worst_mean(curves: Floats, lost: float, weights: Floats | None = None) -> float:
    """The smallest weighted mean that is possible if `lost` of all neighbours were exchanged, wherever it hurts most.

    Row i of `curves` has what is left of the score of row i after 0, 1, ... k exchanges. Relaxed to fractions of an
    exchange (the lower convex hull of each curve), the best plan takes the steepest steps first; so the result is never
    above the true minimum.
    """
    if not 0 <= lost <= 1:
        raise InputError(f"The 'lost' parameter must be from 0 to 1. Got {lost} instead.")
    rows, k = len(curves), curves.shape[1] - 1
    shares = np.full(rows, 1 / rows) if weights is None else weights / weights.sum()
    steps = [step for row, share in zip(curves, shares, strict=True) for step in _hull_steps(row * share)]
    steps.sort(key=lambda step: -step[0] / step[1])
    left, budget = float(shares @ curves[:, 0]), lost * k * rows
    for fall, length in steps:
        used = min(length, budget)
        left -= fall * used / length
        budget -= used
    return left


def _hull_steps(row: Floats) -> list[tuple[float, int]]:
    """The falls of the lower convex hull of a curve, and how many exchanges each takes; the steepest first."""
    steps, here = [], 0
    while here < len(row) - 1:
        slopes = (row[here + 1 :] - row[here]) / np.arange(1, len(row) - here)
        length = int(slopes.argmin()) + 1
        if slopes[length - 1] >= 0:
            break
        steps.append((float(row[here] - row[here + length]), length))
        here += length
    return steps


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
