"""Which documents of the pool to query, and maps into the private space before any pair is known."""

from collections.abc import Callable

import numpy as np
from threadpoolctl import threadpool_limits

from vestige.types import Floats, Integers, Singles

GROUPS, TRIES, STARTS = 8, 16, 8
"""So few groups that two halves of a corpus have the same ones; the best of so many groupings; starts of each matching.
"""
Select = Callable[[Singles, Singles, int, int, np.random.Generator], Integers]
"""From the surrogate's vectors of the pool, the victims' vectors, a budget and a number of clusters to rows of the
pool, as many as the budget."""


def select_random(pool: Singles, _targets: Singles, budget: int, _clusters: int, rng: np.random.Generator) -> Integers:
    """Any of them."""
    return rng.permutation(len(pool))[:budget]


def select_most_similar(
    pool: Singles, targets: Singles, budget: int, _clusters: int, _rng: np.random.Generator
) -> Integers:
    """Those with the largest cosine to any victim, although the two spaces are unrelated (Appendix B)."""
    nearest = np.max(_cosines(*match_width(pool, targets)), axis=1)
    return np.argsort(-nearest, kind="stable")[:budget]


def select_by_kmeans(pool: Singles, targets: Singles, budget: int, clusters: int, rng: np.random.Generator) -> Integers:
    """The document most similar to each cluster of victims, as if the spaces were one (Appendix B)."""
    pool, targets = match_width(pool, targets)
    return take_nearest(cluster_centres(targets, budget, rng)[:clusters], pool, budget)


def select_by_procrustes(
    pool: Singles, targets: Singles, budget: int, clusters: int, rng: np.random.Generator
) -> Integers:
    """The same after the Procrustes map (Algorithm 1)."""
    return select_by_kmeans(align_procrustes(pool, targets), targets, budget, clusters, rng)


def select_by_groups(pool: Singles, targets: Singles, budget: int, clusters: int, rng: np.random.Generator) -> Integers:
    """The same after a map that needs no pairs."""
    pool, targets = centred_directions(pool), centred_directions(targets)
    return select_by_kmeans(align_groups(pool, targets, rng), targets, budget, clusters, rng)


def select_by_coverage(
    pool: Singles, _targets: Singles, budget: int, clusters: int, rng: np.random.Generator
) -> Integers:
    """Ours: the document at the centre of each cluster of the pool itself, to cover every kind of document."""
    if budget >= len(pool):
        return np.arange(len(pool))
    pool = centred_directions(pool)
    return take_nearest(cluster_centres(pool, budget, rng)[:clusters], pool, budget)


SELECTIONS: dict[str, Select] = {
    "random": select_random,
    "most-similar": select_most_similar,
    "kmeans": select_by_kmeans,
    "procrustes": select_by_procrustes,
    "groups": select_by_groups,
    "coverage": select_by_coverage,
}
CLUSTERED = ("kmeans", "procrustes", "groups", "coverage")


def take_nearest(middles: Singles, pool: Singles, budget: int) -> Integers:
    """Each centre in turn takes the most similar remaining document, until the budget is spent.

    With fewer centres than queries (Appendix C) each takes several, and the choice is less diverse.
    """
    cosines = _cosines(middles, pool)
    taken: list[int] = []
    for turn in range(min(budget, len(pool))):
        row = cosines[turn % len(middles)]
        taken.append(int(row.argmax()))
        cosines[:, taken[-1]] = -np.inf
    return np.array(taken, dtype=np.int64)


def _cosines(first: Singles, second: Singles) -> Floats:
    lengths = [np.maximum(np.linalg.norm(each, axis=1), 1e-12) for each in (first, second)]
    return np.asarray((first @ second.T) / np.outer(*lengths), dtype=np.float64)


def align_procrustes(surrogate: Singles, private: Singles) -> Singles:
    """The orthogonal map of Equation 4.1, exactly as written: the smaller matrix is padded with rows of zeros.

    Row i of one is paired with row i of the other, although the two documents are unrelated.
    """
    surrogate, private = match_width(surrogate, private)
    paired = min(len(surrogate), len(private))
    return rotate(surrogate, (surrogate[:paired].T @ private[:paired]).astype(np.float64))


def align_groups(surrogate: Singles, private: Singles, rng: np.random.Generator) -> Singles:
    """Valid without pairs: the orthogonal map between groups that have the same arrangement in both spaces.

    Documents of a kind have the same groups whoever encodes them. Matching the groups is a quadratic assignment on the
    cosines of their centres; the best fit of several groupings is taken.
    """
    surrogate, private = match_width(surrogate, private)
    groups = min(GROUPS, *(len(np.unique(each, axis=0)) for each in (surrogate, private)))
    matches = [
        _match(cluster_centres(surrogate, groups, rng), cluster_centres(private, groups, rng), rng)
        for _ in range(TRIES)
    ]
    _, cross = max(matches, key=lambda match: match[0])
    return rotate(surrogate, cross)


def _match(first: Singles, second: Singles, rng: np.random.Generator) -> tuple[float, Floats]:
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


def rotate(vectors: Singles, cross: Floats) -> Singles:
    """The vectors under the orthogonal map that best fits the cross-covariance with the other space."""
    left, _, right = np.linalg.svd(cross)
    return np.asarray(vectors @ (left @ right), dtype=np.float32)


def cluster_centres(vectors: Singles, count: int, rng: np.random.Generator) -> Singles:
    """The centres of `count` clusters, or of as many as there are distinct vectors.

    On one core: several cores add up their sums in the order in which they finish, and the last bits vary.
    """
    from sklearn.cluster import KMeans

    count = max(1, min(count, len(np.unique(vectors, axis=0))))
    with threadpool_limits(1, user_api="openmp"):
        fitted = KMeans(count, n_init=1, random_state=int(rng.integers(2**31))).fit(vectors)
    return np.asarray(fitted.cluster_centers_, dtype=np.float32)


def centred_directions(vectors: Singles) -> Singles:
    """The direction of each vector from the mean, at length 1."""
    return _unit(vectors - vectors.mean(axis=0))


def match_width(first: Singles, second: Singles) -> tuple[Singles, Singles]:
    """Both with the same number of columns, the narrower padded with zeros."""
    width = max(first.shape[1], second.shape[1])
    return pad_columns(first, width), pad_columns(second, width)


def pad_columns(vectors: Singles, width: int) -> Singles:
    """The first `width` columns, padded with zeros."""
    return np.pad(vectors[:, :width], ((0, 0), (0, max(0, width - vectors.shape[1]))))


def _unit(vectors: Singles) -> Singles:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), dtype=np.float32)
