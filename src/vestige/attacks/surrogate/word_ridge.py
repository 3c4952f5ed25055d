"""The words of a private vector by ridge regression on texts mapped into the private space."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.attacks.surrogate.adaptation import VectorMap
from vestige.attacks.surrogate.queried_pool import (
    QueriedPool,
    inverse_document_frequency,
    normalise_shares,
    ranking_quality,
    word_prior,
    word_targets,
)
from vestige.types import Floats, Integers, Singles

EXTERNAL_WEIGHT = 0.1
"""Cross-domain texts count a tenth: at full weight they do more harm than good."""

PENALTIES = (0.03, 0.1)
"""Shares of the largest eigenvalue."""

PRIOR_WEIGHTS = (0.0, 0.5, 1.0, 2.0, 4.0)
FEWEST = 20


@dataclass(frozen=True)
class WordRidge:
    """`chances(x)` grows with the component of `x - centre` along each word's direction, and with the word's mean."""

    centre: Singles
    directions: Floats
    offset: Floats
    """What is added for every document: the mean of each word over the pool, times the weight of the prior."""
    prior: Floats

    @classmethod
    def fit(cls, known: QueriedPool, words: Singles, to_private: VectorMap) -> "WordRidge":
        """Learn from the pool, the external texts, and `words`: each word of the vocabulary as a text of its own.

        Penalty and weight of the prior are chosen on the queried documents, by what is learned without their words. The
        map `to_private` was learned from these very documents and fits them better than others, so that the choice is
        somewhat optimistic; targets are not involved.
        """
        data = RidgeData.build(known, words, to_private)
        centre, mean = known.targets.mean(axis=0), np.asarray(data.wanted.mean(axis=0)).ravel()
        penalty, weight = _choose(known, data, centre, mean)
        everything = np.arange(len(known.pool))
        return cls(centre, data.directions(everything, penalty), weight * mean, word_prior(known))

    def chances(self, vectors: Singles) -> Floats:
        """One row per vector that adds up to 1: the share of each word; without evidence the prior decides."""
        found = (vectors - self.centre).astype(np.float64) @ self.directions + self.offset
        return normalise_shares(found, self.prior)


@dataclass(frozen=True)
class RidgeData:
    """The pool in the private space, its targets, and what all other texts add to the normal equations."""

    pool: Floats
    wanted: sparse.csr_array
    gram: Floats
    cross: Floats

    @classmethod
    def build(cls, known: QueriedPool, words: Singles, to_private: VectorMap) -> "RidgeData":
        """Each kind of text is centred by itself, so that what sets it apart as a whole is not attributed to words."""
        rarity = inverse_document_frequency(known.pool.weights)
        single = _centred(to_private(words))
        gram, cross = single.T @ single, single.T.copy()
        if len(known.external):
            others = _centred(to_private(known.external.vectors))
            gram += EXTERNAL_WEIGHT * others.T @ others
            cross += EXTERNAL_WEIGHT * (word_targets(known.external.weights, rarity).T @ others).T
        return cls(_centred(to_private(known.pool.vectors)), word_targets(known.pool.weights, rarity), gram, cross)

    def directions(self, rows: Integers, penalty: float) -> Floats:
        """One per word, learned from these rows of the pool; zero where all texts are in one place."""
        seen = self.pool[rows] - self.pool[rows].mean(axis=0)
        gram, cross = self.gram + seen.T @ seen, self.cross + (self.wanted[rows].T @ seen).T
        largest = float(np.linalg.eigvalsh(gram)[-1])
        if largest < 1e-9:
            return np.zeros_like(cross)
        return np.asarray(np.linalg.solve(gram + penalty * largest * np.eye(len(gram)), cross), np.float64)


def _choose(known: QueriedPool, data: RidgeData, centre: Singles, mean: Floats) -> tuple[float, float]:
    """The penalty and the weight of the prior with the largest sum of Precision@5 and NDCG@5 on queried documents."""
    rest = np.setdiff1d(np.arange(len(known.pool)), known.queried)
    if min(len(rest), len(known.queried)) < FEWEST:
        return PENALTIES[0], 1.0 if len(known.queried) > 1 else 0.0
    truth = known.pool.weights[known.queried].toarray()
    found: dict[tuple[float, float], float] = {}
    for penalty in PENALTIES:
        read = (known.answers - centre).astype(np.float64) @ data.directions(rest, penalty)
        found |= {(penalty, weight): ranking_quality(read + weight * mean, truth) for weight in PRIOR_WEIGHTS}
    return max(found, key=lambda each: found[each])


def _centred(vectors: Singles) -> Floats:
    return np.asarray(vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64))
