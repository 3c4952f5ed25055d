"""Precision@k and NDCG@k of ranked words against their importance (C6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from vestige.checks import check_choice
from vestige.errors import InputError
from vestige.metrics.bootstrap import document_mean
from vestige.text.importance.record import Importance
from vestige.types import Floats, Score

DEPTHS = (5, 10, 15)

Relevant = Literal["held", "weightiest"]

Ranked = Sequence[Sequence[tuple[str, float]]]
"""Per text, words with scores, best first."""


@dataclass(frozen=True, slots=True)
class RankingScores:
    """What the first k words of a ranking are worth."""

    precision: Score
    ndcg: Score


def precision_at(ranked: Ranked, truth: Importance, k: int, *, relevant: Relevant = "held") -> Floats:
    """Per text the share of the first k words that are relevant; a missing guess is a miss.

    Relevant is a word that the text has at all ("held"), or one of its k weightiest ("weightiest", of equal weights
    those that come first in the vocabulary). The thesis says that relevance is a label of 0 or 1, and not of what. Ours
    is the first, by its figures: two in three of the five weightiest words bring an NDCG@5 of about two thirds, and its
    Precision@5 of 0.67 goes with 0.19.
    """
    check_choice("relevant", relevant, get_args(Relevant))
    gains = _gains(ranked, truth, k)
    if relevant == "held":
        return np.asarray((gains > 0).mean(axis=1))
    return np.asarray((_gains(ranked, _only_weightiest(truth, k), k) > 0).mean(axis=1))


def ndcg_at(ranked: Ranked, truth: Importance, k: int) -> Floats:
    """Per text the weights of the first k words over log2(1 + place), as a share of what the k weightiest would bring.

    Gains are the weights themselves and the ideal is that of the first k, as in scikit-learn: with gains of 0 and 1 the
    NDCG@5 of the thesis would be near its Precision@5, and is 0.19 where that is 0.67.
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
    """Both at each depth, with intervals that draw whole documents; each text is its own document where none is named.

    The same documents are drawn for every figure, so that figures can be set against each other.
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
    """The true weight of each of the first k words, a row a text; 0 for one that is not in it, or not given."""
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
    """The same with no more than the k weightiest words of each text."""
    table = truth.weights.copy()
    for start, end in pairwise(table.indptr.tolist()):
        order = sorted(range(start, end), key=lambda cell: (-table.data[cell], table.indices[cell]))
        table.data[order[k:]] = 0
    return Importance(truth.words, table, truth.tagged)


def _held(truth: Importance, row: int) -> dict[int, float]:
    """The words of one text by their columns, with what they weigh."""
    table = truth.weights
    cells = slice(table.indptr[row], table.indptr[row + 1])
    return dict(zip(table.indices[cells].tolist(), table.data[cells].tolist(), strict=True))


def _check(ranked: Ranked, truth: Importance, k: int) -> None:
    if k < 1:
        raise InputError(f"The 'k' parameter must be at least 1. Got {k} instead.")
    if len(ranked) != len(truth):
        raise InputError(f"{len(ranked)} rankings but {len(truth)} documents with importance; expected one a document")
    empty = np.flatnonzero(truth.weights.sum(axis=1) == 0)
    if len(empty):
        raise InputError(
            f"{len(empty)} documents hold no word of the vocabulary, the first in row {empty[0]}; "
            "leave them out before scoring"
        )
    for row, words in enumerate(ranked):
        if len({word for word, _ in words[:k]}) < len(words[:k]):
            raise InputError(f"ranking {row} names a word twice among its first {k}; expected each word once")
