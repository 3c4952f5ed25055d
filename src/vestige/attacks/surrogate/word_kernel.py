"""Ours: which words a private vector speaks for, by what stands in the documents of the pool that lie near it."""

from dataclasses import dataclass

import numpy as np

from vestige.attacks.surrogate.carrying import Adapt, squared_distances
from vestige.attacks.surrogate.knowledge import Knowledge
from vestige.attacks.surrogate.whitening import Spread
from vestige.attacks.surrogate.word_targets import importance_and_presence, prior_of, shares, worth
from vestige.types import Floats, Singles

WIDTH, PENALTY = 2.0, 1.0
"""The width is a share of the median distance."""

WHITENINGS = (0.0, 0.5, 1.0)
"""How far the axes are made equally long: not, half way, wholly."""

PRIOR_WEIGHTS = (0.7, 1.0, 1.5, 2.0, 4.0, 8.0, 16.0)
FOLDS, FEWEST = 5, 10


@dataclass(frozen=True)
class WordKernel:
    """Kernel ridge regression, Gaussian, on directions from the mean, that of the pool or that of the victims.

    A queried document lies where the private encoder put it, any other of the pool where the map carries it. Texts of
    elsewhere and single words are left out, since they bring nothing here. Where a few directions hold most of what
    tells vectors apart, as in paragraph vectors, all axes are made more alike first.
    """

    axes: Floats
    centre: Floats
    places: Floats
    scale: float
    dual: Floats
    mean: Floats
    """Of each word over the pool."""
    weight: float
    """Of that mean, which every document is given."""
    prior: Floats

    @classmethod
    def of(cls, known: Knowledge, adapt: Adapt) -> "WordKernel":
        """Whitening and weight of the prior are chosen on queried documents, a fifth at a time.

        That fifth is left out of everything: a map that was learned from its answers would put documents like them
        near them, and flatter whoever looks closest.
        """
        whitening, weight = _chosen(known, adapt) if len(known.queried) >= FEWEST else (0.0, 1.0)
        return cls.learned(known, adapt, (whitening,), weight)[0]

    @classmethod
    def learned(
        cls, known: Knowledge, adapt: Adapt, whitenings: tuple[float, ...], weight: float = 1.0
    ) -> "list[WordKernel]":
        """One for each whitening."""
        pool = adapt(known.pool.vectors[known.queried], known.answers)(known.pool.vectors)
        pool[known.queried] = known.answers
        wanted = importance_and_presence(known.pool.weights).toarray()
        mean, found = wanted.mean(axis=0), []
        spread = Spread.of(np.concatenate([known.targets, known.answers]))
        for whitening in whitenings:
            axes = spread.axes(whitening)
            places = _directions(pool @ axes, pool.mean(axis=0) @ axes)
            apart = squared_distances(places, places)
            scale = max(float(np.median(apart)), 1e-12)
            kernel = np.exp(-WIDTH * apart / scale) + PENALTY * np.eye(len(places))
            dual, centre = np.linalg.solve(kernel, wanted - mean), known.targets.mean(axis=0) @ axes
            found.append(cls(axes, centre, places, scale, dual, mean, weight, prior_of(known)))
        return found

    def read(self, vectors: Singles) -> Floats:
        """What each vector says of each word, beyond what is usual."""
        apart = squared_distances(_directions(vectors @ self.axes, self.centre), self.places)
        return np.asarray(np.exp(-WIDTH * apart / self.scale) @ self.dual)

    def chances(self, vectors: Singles) -> Floats:
        """A row a vector that adds up to 1: the share of each word; the prior decides where nothing is read."""
        return shares(self.read(vectors) + self.weight * self.mean, self.prior)


def _chosen(known: Knowledge, adapt: Adapt) -> tuple[float, float]:
    """The whitening and the weight of the prior with the largest Precision@5 and NDCG@5, added."""
    truth = known.pool.weights[known.queried].toarray()
    mean = importance_and_presence(known.pool.weights).toarray().mean(axis=0)
    read = np.zeros((len(WHITENINGS), *truth.shape))
    for fold in range(FOLDS):
        held = np.arange(len(truth)) % FOLDS == fold
        readers = WordKernel.learned(known.without(held), adapt, WHITENINGS)
        read[:, held] = [reader.read(known.answers[held]) for reader in readers]
    found = {
        (whitening, weight): worth(alone + weight * mean, truth)
        for whitening, alone in zip(WHITENINGS, read, strict=True)
        for weight in PRIOR_WEIGHTS
    }
    return max(found, key=lambda each: found[each])


def _directions(vectors: Floats, centre: Floats) -> Floats:
    away = (vectors - centre).astype(np.float64)
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12))
