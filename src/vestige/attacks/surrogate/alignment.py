"""Bringing the surrogate's vectors into the private space before any pair is known."""

import numpy as np
from threadpoolctl import threadpool_limits

from vestige.types import Floats, Singles

GROUPS, TRIES, STARTS = 8, 16, 8
"""So few groups that two halves of a corpus have the same ones; the best of so many groupings, each matched from so
many starts."""


def padded_procrustes(surrogate: Singles, private: Singles) -> Singles:
    """The orthogonal map of Equation 4.1, exactly as written: the smaller matrix is filled up with rows of zeros.

    Row i of one is paired with row i of the other, though nothing connects the two documents.
    """
    surrogate, private = as_wide(surrogate, private)
    paired = min(len(surrogate), len(private))
    return rotated(surrogate, (surrogate[:paired].T @ private[:paired]).astype(np.float64))


def matched_groups(surrogate: Singles, private: Singles, rng: np.random.Generator) -> Singles:
    """Sound without pairs: the orthogonal map between groups that lie to each other alike in both spaces.

    Documents of a kind have the same groups whoever encodes them. Which group is which is a quadratic assignment on
    the cosines of their centres; the best fit of several groupings is kept.
    """
    surrogate, private = as_wide(surrogate, private)
    groups = min(GROUPS, *(len(np.unique(each, axis=0)) for each in (surrogate, private)))
    found = [_matched(centres(surrogate, groups, rng), centres(private, groups, rng), rng) for _ in range(TRIES)]
    _, cross = max(found, key=lambda each: each[0])
    return rotated(surrogate, cross)


def _matched(first: Singles, second: Singles, rng: np.random.Generator) -> tuple[float, Floats]:
    """How well the groups fit, at most 1, and the cross-covariance of their centres in that order."""
    from scipy.optimize import quadratic_assignment

    first, second = _unit(first), _unit(second)
    near, like = first @ first.T, second @ second.T
    fits = [
        quadratic_assignment(near, like, options={"maximize": True, "P0": start, "rng": rng})
        for start in ("barycenter", *["randomized"] * (STARTS - 1))
    ]
    best = max(fits, key=lambda fit: float(fit.fun))
    size = max(float(np.linalg.norm(near) * np.linalg.norm(like)), 1e-12)
    return float(best.fun) / size, (first.T @ second[best.col_ind]).astype(np.float64)


def rotated(vectors: Singles, cross: Floats) -> Singles:
    """The vectors under the orthogonal map that the cross-covariance with the other space asks for."""
    left, _, right = np.linalg.svd(cross)
    return np.asarray(vectors @ (left @ right), dtype=np.float32)


def centres(vectors: Singles, count: int, rng: np.random.Generator) -> Singles:
    """The centres of `count` clusters, or of as many as there are distinct vectors.

    On one core: several add up what they found in the order in which they are done, and the last bits vary.
    """
    from sklearn.cluster import KMeans

    count = max(1, min(count, len(np.unique(vectors, axis=0))))
    with threadpool_limits(1, user_api="openmp"):
        fitted = KMeans(count, n_init=1, random_state=int(rng.integers(2**31))).fit(vectors)
    return np.asarray(fitted.cluster_centers_, dtype=np.float32)


def directions(vectors: Singles) -> Singles:
    """Of each vector from the mean, of length 1."""
    return _unit(vectors - vectors.mean(axis=0))


def as_wide(first: Singles, second: Singles) -> tuple[Singles, Singles]:
    """Both with as many columns, the narrower filled up with zeros."""
    width = max(first.shape[1], second.shape[1])
    return widened(first, width), widened(second, width)


def widened(vectors: Singles, width: int) -> Singles:
    """The first `width` columns, zeros where there are fewer."""
    return np.pad(vectors[:, :width], ((0, 0), (0, max(0, width - vectors.shape[1]))))


def _unit(vectors: Singles) -> Singles:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), dtype=np.float32)
