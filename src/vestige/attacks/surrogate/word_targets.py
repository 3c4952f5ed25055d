"""What the closed forms learn of each word, and what a ranking of words is worth."""

import numpy as np
from scipy import sparse

from vestige.attacks.surrogate.knowledge import Knowledge
from vestige.types import Floats, Integers

DEPTH = 5

_TIE = 1e-6


def importance_and_presence(weights: sparse.csr_array, rarity: Floats | None = None) -> sparse.csr_array:
    """Half how much a word matters, half that it is there, a rare one counting more; both of unit length a text."""
    rare = rarity_of(weights) if rarity is None else rarity
    there = sparse.csr_array((rare[weights.indices], weights.indices, weights.indptr), shape=weights.shape)
    return _unit(weights) + _unit(there)


def rarity_of(weights: sparse.csr_array) -> Floats:
    """The inverse document frequency of each word, as scikit-learn smooths it."""
    held = np.bincount(weights.indices, minlength=weights.shape[1])
    return np.asarray(np.log((1 + weights.shape[0]) / (1 + held)) + 1)


def prior_of(known: Knowledge) -> Floats:
    """How much each word matters in the pool, adding up to 1."""
    prior = np.asarray(known.pool.weights.mean(axis=0)).ravel()
    return np.asarray(prior / prior.sum(), dtype=np.float64)


def shares(found: Floats, prior: Floats) -> Floats:
    """Rows that add up to 1; the prior decides where nothing is read."""
    positive = np.maximum(found, 0) + _TIE * prior
    return np.asarray(positive / positive.sum(axis=1, keepdims=True))


def worth(scores: Floats, truth: Floats) -> float:
    """Precision and NDCG of the first five words, added."""
    depth = min(DEPTH, truth.shape[1])
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    gains = np.take_along_axis(truth, _first(scores, depth), axis=1)
    ideal = np.take_along_axis(truth, _first(truth, depth), axis=1) @ discounts
    return float((gains > 0).mean() + (gains @ discounts / np.maximum(ideal, 1e-12)).mean())


def _first(scores: Floats, depth: int) -> Integers:
    """The columns of the largest scores of each row, in order; to sort all of them would take longer than to learn."""
    best = np.argpartition(-scores, depth - 1, axis=1)[:, :depth]
    return np.take_along_axis(
        best, np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable"), axis=1
    )


def _unit(table: sparse.csr_array) -> sparse.csr_array:
    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.maximum(lengths, 1e-12)) @ table)
