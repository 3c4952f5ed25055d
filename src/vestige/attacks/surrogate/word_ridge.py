"""Ours: which words a private vector speaks for, by ridge regression on texts carried into the private space."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.attacks.surrogate.carrying import Carry
from vestige.attacks.surrogate.knowledge import Knowledge
from vestige.types import Floats, Integers, Singles

EXTERNAL_WEIGHT = 0.1
"""Texts of elsewhere count a tenth: at full weight they cost more than they bring."""

PENALTIES = (0.03, 0.1)
"""Shares of the largest eigenvalue."""

PRIOR_WEIGHTS = (0.0, 0.5, 1.0, 2.0, 4.0)
FEWEST = 20
DEPTH = 5

_TIE = 1e-6


@dataclass(frozen=True)
class WordRidge:
    """`chances(x)` grows with what `x` has over the mean victim along the direction of each word, and with its mean."""

    centre: Singles
    directions: Floats
    usual: Floats
    """What every document is given: the mean of each word over the pool, times the weight of the prior."""
    prior: Floats

    @classmethod
    def of(cls, known: Knowledge, words: Singles, carry: Carry) -> "WordRidge":
        """Learn from the pool, the external texts, and `words`: each word of the vocabulary as a text of its own.

        Penalty and weight of the prior are chosen on the queried documents, by what is learned without their words.
        """
        lesson = Lesson.of(known, words, carry)
        prior = np.asarray(known.pool.weights.mean(axis=0)).ravel()
        centre, mean = known.targets.mean(axis=0), np.asarray(lesson.wanted.mean(axis=0)).ravel()
        penalty, weight = _chosen(known, lesson, centre, mean)
        everything = np.arange(len(known.pool))
        return cls(centre, lesson.directions(everything, penalty), weight * mean, prior / prior.sum())

    def chances(self, vectors: Singles) -> Floats:
        """A row a vector that adds up to 1: the share of each word; the prior decides where nothing is read."""
        found = (vectors - self.centre).astype(np.float64) @ self.directions + self.usual
        shares = np.maximum(found, 0) + _TIE * self.prior
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class Lesson:
    """The pool in the private space with what is wanted of each word there, and what all other texts add to it."""

    pool: Floats
    wanted: sparse.csr_array
    gram: Floats
    cross: Floats

    @classmethod
    def of(cls, known: Knowledge, words: Singles, carry: Carry) -> "Lesson":
        """Each kind of text is centred by itself, so that what sets it apart as a whole tells nothing of words."""
        rarity = _rarity(known.pool.weights)
        single = _centred(carry(words))
        gram, cross = single.T @ single, single.T.copy()
        if len(known.external):
            others = _centred(carry(known.external.vectors))
            gram += EXTERNAL_WEIGHT * others.T @ others
            cross += EXTERNAL_WEIGHT * (_wanted(known.external.weights, rarity).T @ others).T
        return cls(_centred(carry(known.pool.vectors)), _wanted(known.pool.weights, rarity), gram, cross)

    def directions(self, rows: Integers, penalty: float) -> Floats:
        """One a word, learned from these rows of the pool; none where all texts lie in one place."""
        seen = self.pool[rows] - self.pool[rows].mean(axis=0)
        gram, cross = self.gram + seen.T @ seen, self.cross + (self.wanted[rows].T @ seen).T
        largest = float(np.linalg.eigvalsh(gram)[-1])
        if largest < 1e-9:
            return np.zeros_like(cross)
        return np.asarray(np.linalg.solve(gram + penalty * largest * np.eye(len(gram)), cross), np.float64)


def _chosen(known: Knowledge, lesson: Lesson, centre: Singles, mean: Floats) -> tuple[float, float]:
    """The penalty and the weight of the prior with the largest Precision@5 and NDCG@5, added, on queried documents."""
    rest = np.setdiff1d(np.arange(len(known.pool)), known.queried)
    if min(len(rest), len(known.queried)) < FEWEST:
        return PENALTIES[0], 1.0 if len(known.queried) > 1 else 0.0
    truth = known.pool.weights[known.queried].toarray()
    found: dict[tuple[float, float], float] = {}
    for penalty in PENALTIES:
        read = (known.answers - centre).astype(np.float64) @ lesson.directions(rest, penalty)
        found |= {(penalty, weight): _worth(read + weight * mean, truth) for weight in PRIOR_WEIGHTS}
    return max(found, key=lambda each: found[each])


def _worth(scores: Floats, truth: Floats) -> float:
    """Precision and NDCG of the first five words, added."""
    depth = min(DEPTH, truth.shape[1])
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    gains = np.take_along_axis(truth, np.argsort(-scores, axis=1, kind="stable")[:, :depth], axis=1)
    ideal = -np.sort(-truth, axis=1)[:, :depth] @ discounts
    return float((gains > 0).mean() + (gains @ discounts / np.maximum(ideal, 1e-12)).mean())


def _centred(vectors: Singles) -> Floats:
    return np.asarray(vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64))


def _wanted(weights: sparse.csr_array, rarity: Floats) -> sparse.csr_array:
    """Half how much a word matters, half that it is there, a rare one counting more; both of unit length a text."""
    there = sparse.csr_array((rarity[weights.indices], weights.indices, weights.indptr), shape=weights.shape)
    return _unit(weights) + _unit(there)


def _unit(table: sparse.csr_array) -> sparse.csr_array:
    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.maximum(lengths, 1e-12)) @ table)


def _rarity(weights: sparse.csr_array) -> Floats:
    """The inverse document frequency of each word, as scikit-learn smooths it."""
    held = np.bincount(weights.indices, minlength=weights.shape[1])
    return np.asarray(np.log((1 + weights.shape[0]) / (1 + held)) + 1)
