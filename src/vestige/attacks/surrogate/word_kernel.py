"""Ours: which words a private vector speaks for, by what stands in the documents of the pool that lie near it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vestige.attacks.surrogate.carrying import Carry, missed_alone, squared_distances
from vestige.attacks.surrogate.knowledge import Knowledge
from vestige.attacks.surrogate.word_targets import importance_and_presence, prior_of, shares, worth
from vestige.types import Floats, Singles

WIDTH, PENALTY = 2.0, 1.0
"""The width is a share of the median distance."""

WHITENINGS, FLOOR = (0.0, 0.5, 1.0), 0.3
"""How far the axes are made equally long: not, half way, wholly. None counts as shorter than a share of the mean."""

CLEARLY = 0.02
"""So much more Precision@5 and NDCG@5, added, must be read to whiten: two hundred documents tell no smaller gain."""

PRIOR_WEIGHTS = (0.7, 1.0, 1.5, 2.0, 4.0, 8.0, 16.0)
FEWEST = 10


@dataclass(frozen=True)
class WordKernel:
    """Kernel ridge regression, Gaussian, on directions from the mean, that of the pool or that of the victims.

    A queried document lies where the private encoder put it, any other of the pool where the map carries it. Texts of
    elsewhere and single words are left out, since they bring nothing here. Where a few directions hold most of what
    tells vectors apart, as in word vectors that are averaged, all axes are made more alike first.
    """

    axes: Floats
    centre: Floats
    places: Floats
    scale: float
    dual: Floats
    usual: Floats
    """What every document is given: the mean of each word over the pool, times the weight of the prior."""
    prior: Floats

    @classmethod
    def of(cls, known: Knowledge, carry: Carry) -> "WordKernel":
        """Whitening and weight of the prior are chosen on queried documents, each read by all others of the pool."""
        pool = carry(known.pool.vectors)
        pool[known.queried] = known.answers
        rows, truth = known.queried, known.pool.weights[known.queried].toarray()
        wanted = importance_and_presence(known.pool.weights).toarray()
        mean = wanted.mean(axis=0)
        found: list[tuple[float, WordKernel]] = []
        for axes in _whitenings(np.concatenate([known.targets, known.answers]), many=len(rows) >= FEWEST):
            seen = pool @ axes
            places = _directions(seen, seen.mean(axis=0))
            apart = squared_distances(places, places)
            scale = max(float(np.median(apart)), 1e-12)
            inverse = np.linalg.inv(np.exp(-WIDTH * apart / scale) + PENALTY * np.eye(len(places)))
            dual = inverse @ (wanted - mean)
            alone = wanted[rows] - mean - missed_alone(dual, np.diag(inverse))[rows]
            reached, weight = _weight(alone, mean, truth)
            centre = known.targets.mean(axis=0) @ axes
            found.append((reached, cls(axes, centre, places, scale, dual, weight * mean, prior_of(known))))
        plain, best = found[0], max(found, key=lambda each: each[0])
        return best[1] if best[0] > plain[0] + CLEARLY else plain[1]

    def chances(self, vectors: Singles) -> Floats:
        """A row a vector that adds up to 1: the share of each word; the prior decides where nothing is read."""
        apart = squared_distances(_directions(vectors @ self.axes, self.centre), self.places)
        return shares(np.exp(-WIDTH * apart / self.scale) @ self.dual + self.usual, self.prior)


def _whitenings(seen: Singles, *, many: bool) -> Iterator[Floats]:
    """Maps that make the axes of private vectors more alike, the first none at all, and no other from too few pairs."""
    away = (seen - seen.mean(axis=0)).astype(np.float64)
    lengths, axes = np.linalg.eigh(away.T @ away / len(away))
    lengths = np.maximum(lengths, 0)
    floored = np.maximum(lengths + FLOOR * lengths.mean(), 1e-12)
    for strength in WHITENINGS if many else WHITENINGS[:1]:
        yield axes * floored ** (-strength / 2)


def _directions(vectors: Floats, centre: Floats) -> Floats:
    away = (vectors - centre).astype(np.float64)
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12))


def _weight(alone: Floats, mean: Floats, truth: Floats) -> tuple[float, float]:
    """The largest Precision@5 and NDCG@5, added, and the weight that gives it; the usual one where few were queried."""
    if len(truth) < FEWEST:
        return 0.0, 1.0
    reached = {weight: worth(alone + weight * mean, truth) for weight in PRIOR_WEIGHTS}
    best = max(reached, key=lambda weight: reached[weight])
    return reached[best], best
