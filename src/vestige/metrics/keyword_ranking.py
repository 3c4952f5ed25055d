"""Precision@k and NDCG@k of ranked words against their importance (Chen 2023)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from vestige.checks import check_choice
from vestige.errors import InputError
from vestige.metrics.intervals import document_mean
from vestige.text.importance import Importance
from vestige.types import Floats, Score

DEPTHS = (5, 10, 15)

Relevant = Literal["held", "weightiest"]

Ranked = Sequence[Sequence[tuple[str, float]]]
"""Per text, words with scores, best first."""


@dataclass(frozen=True, slots=True)
class RankingScores:
    """The scores of the first k words of a ranking."""

    precision: Score
    ndcg: Score


def precision_at(ranked: Ranked, truth: Importance, k: int, *, relevant: Relevant = "held") -> Floats:
    """Per text the share of the first k words that are relevant; a missing guess is a miss.

    A word is relevant if the text contains it ("held"), or if it is one of the k weightiest words of the text
    ("weightiest"; among equal weights, the first in the vocabulary). The thesis defines relevance as a label of 0 or 1,
    without saying of what. The default follows from its numbers: if two in three of the five weightiest words were
    found, NDCG@5 would be about two thirds, but its Precision@5 of 0.67 comes with an NDCG@5 of 0.19.
    """
    check_choice("relevant", relevant, get_args(Relevant))
    gains = _gains(ranked, truth, k)
    if relevant == "held":
        return np.asarray((gains > 0).mean(axis=1))
    return np.asarray((_gains(ranked, _only_weightiest(truth, k), k) > 0).mean(axis=1))


def ndcg_at(ranked: Ranked, truth: Importance, k: int) -> Floats:
    """Per text the weights of the first k words over log2(1 + rank), relative to those of the k weightiest words.

    Gains are the weights themselves and the ideal ranking has k words, as in scikit-learn: with gains of 0 and 1 the
    NDCG@5 of the thesis would be near its Precision@5 of 0.67, but it is 0.19.
    """
    discounts = 1 / np.log2(np.arange(2, k + 2))
    ideal: Floats = _weightiest(truth, k) @ discounts
    found: Floats = _gains(ranked, truth, k) @ discounts
    return found / ideal


def keyword_ranking(
    ranked: Ranked,
    truth: Importance,
    *,
    rng: np.random.Generator,
    documents: Sequence[str] | None = None,
    depths: Sequence[int] = DEPTHS,
) -> dict[int, RankingScores]:
    """Both scores at each depth, with intervals over documents; by default, each text is its own document.

    The same documents are drawn for every score, so that scores can be compared.
    """
    owners = [str(row) for row in range(len(truth))] if documents is None else documents
    seed = int(rng.integers(2**32))
    return {
        k: RankingScores(
            document_mean(precision_at(ranked, truth, k), owners, np.random.default_rng(seed)),
            document_mean(ndcg_at(ranked, truth, k), owners, np.random.default_rng(seed)),
        )
        for k in depths
    }


def _gains(ranked: Ranked, truth: Importance, k: int) -> Floats:
    """The true weight of each of the first k words, one row per text; 0 for a word that is missing or not in it."""
    _check(ranked, truth, k)
    index = {word: column for column, word in enumerate(truth.words)}
    gains = np.zeros((len(ranked), k))
    for row, words in enumerate(ranked):
        held = _held(truth, row)
        gains[row, : len(words[:k])] = [held.get(index.get(word, -1), 0.0) for word, _ in words[:k]]
    return gains


def _weightiest(truth: Importance, k: int) -> Floats:
    best = np.zeros((len(truth), k))
    for row in range(len(truth)):
        found = sorted(_held(truth, row).values(), reverse=True)[:k]
        best[row, : len(found)] = found
    return best


def _only_weightiest(truth: Importance, k: int) -> Importance:
    """The same with only the k weightiest words of each text."""
    table = truth.weights.copy()
    for start, end in pairwise(table.indptr.tolist()):
        order = sorted(range(start, end), key=lambda cell: (-table.data[cell], table.indices[cell]))
        table.data[order[k:]] = 0
    return Importance(truth.words, table, truth.tagged)


def _held(truth: Importance, row: int) -> dict[int, float]:
    """The words of one text by column, with their weights."""
    table = truth.weights
    cells = slice(table.indptr[row], table.indptr[row + 1])
    return dict(zip(table.indices[cells].tolist(), table.data[cells].tolist(), strict=True))


def _check(ranked: Ranked, truth: Importance, k: int) -> None:
    if k < 1:
        raise InputError(f"The 'k' parameter must be at least 1. Got {k} instead.")
    if len(ranked) != len(truth):
        raise InputError(f"{len(ranked)} rankings but {len(truth)} documents with importance; expected one for each")
    empty = np.flatnonzero(truth.weights.sum(axis=1) == 0)
    if len(empty):
        raise InputError(
            f"{len(empty)} documents contain no word of the vocabulary, the first in row {empty[0]}; "
            "drop them before scoring"
        )
    for row, words in enumerate(ranked):
        if len({word for word, _ in words[:k]}) < len(words[:k]):
            raise InputError(f"ranking {row} repeats a word among its first {k}; expected each word once")
