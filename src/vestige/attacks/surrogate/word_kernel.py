"""Ours: which words a private vector speaks for, by what stands in the documents of the pool that lie near it."""

from dataclasses import dataclass

import numpy as np

from vestige.attacks.surrogate.carrying import Carry, squared_distances
from vestige.attacks.surrogate.knowledge import Knowledge
from vestige.attacks.surrogate.word_targets import importance_and_presence, prior_of, shares, worth
from vestige.types import Floats, Singles

WIDTH, PENALTY = 2.0, 1.0
"""The width is a share of the median distance."""

PRIOR_WEIGHTS = (0.7, 1.0, 1.5, 2.0, 4.0, 8.0, 16.0)
FEWEST = 10


@dataclass(frozen=True)
class WordKernel:
    """Kernel ridge regression, Gaussian, on directions from the mean, that of the pool or that of the victims.

    A queried document lies where the private encoder put it, any other of the pool where the map carries it. Texts of
    elsewhere and single words are left out, since they bring nothing here.
    """

    centre: Singles
    places: Floats
    scale: float
    dual: Floats
    usual: Floats
    """What every document is given: the mean of each word over the pool, times the weight of the prior."""
    prior: Floats

    @classmethod
    def of(cls, known: Knowledge, carry: Carry) -> "WordKernel":
        """The weight of the prior is chosen on queried documents, each read by all others of the pool."""
        pool = carry(known.pool.vectors)
        pool[known.queried] = known.answers
        places = _directions(pool, pool.mean(axis=0))
        wanted = importance_and_presence(known.pool.weights).toarray()
        mean = wanted.mean(axis=0)
        apart = squared_distances(places, places)
        scale = max(float(np.median(apart)), 1e-12)
        inverse = np.linalg.inv(np.exp(-WIDTH * apart / scale) + PENALTY * np.eye(len(places)))
        dual = inverse @ (wanted - mean)
        rows = known.queried
        alone = wanted[rows] - mean - dual[rows] / np.diag(inverse)[rows, None]
        weight = _weight(alone, mean, known.pool.weights[rows].toarray())
        return cls(known.targets.mean(axis=0), places, scale, dual, weight * mean, prior_of(known))

    def chances(self, vectors: Singles) -> Floats:
        """A row a vector that adds up to 1: the share of each word; the prior decides where nothing is read."""
        apart = squared_distances(_directions(vectors, self.centre), self.places)
        return shares(np.exp(-WIDTH * apart / self.scale) @ self.dual + self.usual, self.prior)


def _directions(vectors: Singles, centre: Singles) -> Floats:
    away = (vectors - centre).astype(np.float64)
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12))


def _weight(alone: Floats, mean: Floats, truth: Floats) -> float:
    """The weight with the largest Precision@5 and NDCG@5, added; the first of the usual ones where few were queried."""
    if len(truth) < FEWEST:
        return 1.0
    return max(PRIOR_WEIGHTS, key=lambda weight: worth(alone + weight * mean, truth))
