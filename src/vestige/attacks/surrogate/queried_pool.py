"""What the adversary holds once its queries are spent, the targets of the closed forms, and ranking quality."""

from dataclasses import dataclass, field, replace

import numpy as np
from scipy import sparse

from vestige.types import Flags, Floats, Integers, Singles

DEPTH = 5
_TIE = 1e-6


@dataclass(frozen=True)
class WeighedDocuments:
    """Texts as the surrogate embeds them, and how much each word of the vocabulary matters in each."""

    vectors: Singles
    weights: sparse.csr_array

    def scaled(self, by: np.float32) -> "WeighedDocuments":
        """The same texts with all vectors so many times as long."""
        return WeighedDocuments(by * self.vectors, self.weights)

    def __len__(self) -> int:
        return len(self.vectors)


NO_DOCUMENTS = WeighedDocuments(np.empty((0, 0), np.float32), sparse.csr_array((0, 0)))


@dataclass(frozen=True)
class QueriedPool:
    """What the adversary holds; all vectors of one encoder are scaled alike.

    `answers` are the private encoder's vectors of the rows `queried` of the pool; `targets` are the victims'.
    `validation` are further documents as the private encoder embeds them, on which published networks choose an epoch.
    """

    targets: Singles
    pool: WeighedDocuments
    queried: Integers
    answers: Singles
    external: WeighedDocuments
    validation: WeighedDocuments = field(default_factory=lambda: NO_DOCUMENTS)

    def without(self, held: Flags) -> "QueriedPool":
        """Without these of the queried documents."""
        kept = np.setdiff1d(np.arange(len(self.pool)), self.queried[held])
        pool = WeighedDocuments(self.pool.vectors[kept], self.pool.weights[kept])
        return replace(self, pool=pool, queried=np.searchsorted(kept, self.queried[~held]), answers=self.answers[~held])


def word_targets(weights: sparse.csr_array, rarity: Floats | None = None) -> sparse.csr_array:
    """The sum of how much a word matters and its presence, rare words counting more; both have unit length per text."""
    rare = inverse_document_frequency(weights) if rarity is None else rarity
    there = sparse.csr_array((rare[weights.indices], weights.indices, weights.indptr), shape=weights.shape)
    return _unit(weights) + _unit(there)


def inverse_document_frequency(weights: sparse.csr_array) -> Floats:
    """The inverse document frequency of each word, smoothed as in scikit-learn."""
    held = np.bincount(weights.indices, minlength=weights.shape[1])
    return np.asarray(np.log((1 + weights.shape[0]) / (1 + held)) + 1)


def word_prior(known: QueriedPool) -> Floats:
    """How much each word matters in the pool, adding up to 1."""
    prior = np.asarray(known.pool.weights.mean(axis=0)).ravel()
    return np.asarray(prior / prior.sum(), dtype=np.float64)


def normalise_shares(found: Floats, prior: Floats) -> Floats:
    """Rows that add up to 1; the prior breaks ties where no word is found."""
    positive = np.maximum(found, 0) + _TIE * prior
    return np.asarray(positive / positive.sum(axis=1, keepdims=True))


def ranking_quality(scores: Floats, truth: Floats) -> float:
    """Precision plus NDCG of the first five words."""
    depth = min(DEPTH, truth.shape[1])
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    gains = np.take_along_axis(truth, _first(scores, depth), axis=1)
    ideal = np.take_along_axis(truth, _first(truth, depth), axis=1) @ discounts
    return float((gains > 0).mean() + (gains @ discounts / np.maximum(ideal, 1e-12)).mean())


def _first(scores: Floats, depth: int) -> Integers:
    """The columns of the largest scores of each row, in order; sorting all of them would take longer than learning."""
    best = np.argpartition(-scores, depth - 1, axis=1)[:, :depth]
    return np.take_along_axis(
        best, np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable"), axis=1
    )


def _unit(table: sparse.csr_array) -> sparse.csr_array:
    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.maximum(lengths, 1e-12)) @ table)
