"""Ours: the words of a private vector by kernel regression on the documents of the pool that are near it."""

from dataclasses import dataclass

import numpy as np

from vestige.attacks.surrogate.adaptation import Adapt, squared_distances
from vestige.attacks.surrogate.queried_pool import (
    QueriedPool,
    normalise_shares,
    ranking_quality,
    word_prior,
    word_targets,
)
from vestige.types import Floats, Singles

WIDTH, PENALTY = 2.0, 1.0
"""The width is a share of the median distance."""
WHITENINGS = (0.0, 0.5, 1.0)
"""How far the axes are made equally long: not at all, half way, completely."""
PRIOR_WEIGHTS = (0.7, 1.0, 1.5, 2.0, 4.0, 8.0, 16.0)
FOLDS, FEWEST = 5, 10
FLOOR = 0.3
"""No axis counts as shorter than this share of the mean."""


@dataclass(frozen=True)
class WordKernel:
    """Kernel ridge regression, Gaussian, on directions from the mean, that of the pool or that of the victims.

    A queried document is where the private encoder put it, any other of the pool where the map puts it. Cross-domain
    texts and single words are not used, since they bring nothing here. Where a few directions hold most of the
    variance, as in paragraph vectors, all axes are made more alike first.
    """

    kernel: "PoolKernel"
    dual: Floats
    mean: Floats
    """Of each word over the pool."""
    weight: float
    """Of that mean, which is added for every document."""
    prior: Floats

    @classmethod
    def fit(cls, known: QueriedPool, adapt: Adapt) -> "WordKernel":
        """Whitening and weight of the prior are chosen on queried documents, a fifth at a time.

        That fifth is held out of everything: a map learned from its answers would put similar documents near them, and
        favour narrow kernels.
        """
        whitening, weight = _choose(known, adapt) if len(known.queried) >= FEWEST else (0.0, 1.0)
        (kernel,) = PoolKernel.fit_each(known, adapt, (whitening,))
        wanted = word_targets(known.pool.weights).toarray()
        mean = wanted.mean(axis=0)
        return cls(kernel, kernel.solve(wanted - mean), mean, weight, word_prior(known))

    def chances(self, vectors: Singles) -> Floats:
        """One row per vector that adds up to 1: the share of each word; without evidence the prior decides."""
        evidence = self.kernel.near(vectors) @ self.dual
        return normalise_shares(evidence + self.weight * self.mean, self.prior)


@dataclass(frozen=True)
class PoolKernel:
    """The kernel between the documents of the pool, where they are in the private space."""

    axes: Floats
    centre: Floats
    places: Floats
    scale: float
    factor: Floats
    """The Cholesky factor of kernel plus penalty, above the diagonal."""

    @classmethod
    def fit_each(cls, known: QueriedPool, adapt: Adapt, whitenings: tuple[float, ...]) -> "list[PoolKernel]":
        """One for each whitening."""
        pool = adapt(known.pool.vectors[known.queried], known.answers)(known.pool.vectors)
        pool[known.queried] = known.answers
        spread = AxisSpread.fit(np.concatenate([known.targets, known.answers]))
        return [cls._fit(pool, known.targets.mean(axis=0), spread.axes(whitening)) for whitening in whitenings]

    @classmethod
    def _fit(cls, pool: Singles, centre: Singles, axes: Floats) -> "PoolKernel":
        from scipy.linalg import cholesky

        places = _directions(pool @ axes, pool.mean(axis=0) @ axes)
        apart = squared_distances(places, places)
        scale = max(float(np.median(apart)), 1e-12)
        kernel = _weigh_distances(apart, scale)
        kernel[np.diag_indices_from(kernel)] += PENALTY
        return cls(axes, centre @ axes, places, scale, cholesky(kernel.T, overwrite_a=True, check_finite=False))

    def near(self, vectors: Singles) -> Floats:
        """The kernel between each vector and each document of the pool."""
        apart = squared_distances(_directions(vectors @ self.axes, self.centre), self.places)
        return _weigh_distances(apart, self.scale)

    def solve(self, right: Floats) -> Floats:
        """The solution of (kernel plus penalty) times x equals `right`."""
        from scipy.linalg import cho_solve

        return np.asarray(cho_solve((self.factor, False), right, check_finite=False))


def _choose(known: QueriedPool, adapt: Adapt) -> tuple[float, float]:
    """The whitening and the weight of the prior with the largest sum of Precision@5 and NDCG@5."""
    truth = known.pool.weights[known.queried].toarray()
    mean = word_targets(known.pool.weights).toarray().mean(axis=0)
    evidence = np.zeros((len(WHITENINGS), *truth.shape))
    for fold in range(FOLDS):
        held = np.arange(len(truth)) % FOLDS == fold
        evidence[:, held] = infer_held_out(known.without(held), adapt, known.answers[held])
    found = {
        (whitening, weight): ranking_quality(each + weight * mean, truth)
        for whitening, each in zip(WHITENINGS, evidence, strict=True)
        for weight in PRIOR_WEIGHTS
    }
    return max(found, key=lambda settings: found[settings])


def infer_held_out(known: QueriedPool, adapt: Adapt, answers: Singles) -> list[Floats]:
    """For each whitening, how much each of a few answers speaks for each word, beyond the mean.

    The few answers are solved for, instead of the many words: the product with the words is sparse.
    """
    wanted = word_targets(known.pool.weights)
    mean = np.asarray(wanted.mean(axis=0)).ravel()
    shares = [kernel.solve(kernel.near(answers).T) for kernel in PoolKernel.fit_each(known, adapt, WHITENINGS)]
    return [(wanted.T @ share).T - np.outer(share.sum(axis=0), mean) for share in shares]


def _weigh_distances(apart: Floats, scale: float) -> Floats:
    """The Gaussian kernel, in place of the squared distances."""
    apart *= -WIDTH / scale
    return np.asarray(np.exp(apart, out=apart))


def _directions(vectors: Floats, centre: Floats) -> Floats:
    away = (vectors - centre).astype(np.float64)
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12))


@dataclass(frozen=True)
class AxisSpread:
    """Axes, one per column, along which vectors have the variance `lengths`; along every other it is `rest`."""

    directions: Floats
    lengths: Floats
    rest: float

    @classmethod
    def fit(cls, seen: Singles) -> "AxisSpread":
        """From the smaller of two products, since wide vectors are fewer than their columns."""
        away = (seen - seen.mean(axis=0)).astype(np.float64)
        if len(away) < away.shape[1]:
            lengths, sides = np.linalg.eigh(away @ away.T / len(away))
            real = lengths > 1e-12 * max(lengths[-1], 1e-12)
            lengths, directions = lengths[real], away.T @ (sides[:, real] / np.sqrt(lengths[real] * len(away)))
        else:
            lengths, directions = np.linalg.eigh(away.T @ away / len(away))
            lengths = np.maximum(lengths, 0)
        rest = max(FLOOR * float(lengths.sum()) / away.shape[1], 1e-12)
        return cls(directions, lengths + rest, rest)

    def axes(self, whitening: float) -> Floats:
        """The symmetric map, (d, d), that makes axes more alike: not at all at 0, all equally long at 1."""
        longer = self.lengths ** (-whitening / 2) - self.rest ** (-whitening / 2)
        rest = self.rest ** (-whitening / 2) * np.eye(len(self.directions))
        return np.asarray((self.directions * longer) @ self.directions.T + rest)
