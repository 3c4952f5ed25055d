"""Which documents of the pool to spend the queries on (C2)."""

from collections.abc import Callable

import numpy as np

from vestige.attacks.surrogate.alignment import as_wide, centres, directions, matched_groups, padded_procrustes
from vestige.types import Floats, Integers, Singles

Select = Callable[[Singles, Singles, int, int, np.random.Generator], Integers]
"""From the surrogate's vectors of the pool, the victims' vectors, a budget and a number of clusters to rows of the
pool, as many as the budget."""


def at_random(pool: Singles, _targets: Singles, budget: int, _clusters: int, rng: np.random.Generator) -> Integers:
    """Any of them."""
    return rng.permutation(len(pool))[:budget]


def most_similar(pool: Singles, targets: Singles, budget: int, _clusters: int, _rng: np.random.Generator) -> Integers:
    """Those with the largest cosine to any victim, though the two spaces have nothing in common (Appendix B)."""
    nearest = np.max(_cosines(*as_wide(pool, targets)), axis=1)
    return np.argsort(-nearest, kind="stable")[:budget]


def by_kmeans(pool: Singles, targets: Singles, budget: int, clusters: int, rng: np.random.Generator) -> Integers:
    """The document most similar to each cluster of victims, the spaces taken for one (Appendix B)."""
    pool, targets = as_wide(pool, targets)
    return nearest_to(centres(targets, budget, rng)[:clusters], pool, budget)


def by_procrustes(pool: Singles, targets: Singles, budget: int, clusters: int, rng: np.random.Generator) -> Integers:
    """The same after the Procrustes map (Algorithm 1)."""
    return by_kmeans(padded_procrustes(pool, targets), targets, budget, clusters, rng)


def by_groups(pool: Singles, targets: Singles, budget: int, clusters: int, rng: np.random.Generator) -> Integers:
    """The same after a map that needs no pairs."""
    pool, targets = directions(pool), directions(targets)
    return by_kmeans(matched_groups(pool, targets, rng), targets, budget, clusters, rng)


def by_coverage(pool: Singles, _targets: Singles, budget: int, clusters: int, rng: np.random.Generator) -> Integers:
    """Ours: the document in the middle of each cluster of the pool itself, so that no kind of document is left out."""
    if budget >= len(pool):
        return np.arange(len(pool))
    pool = directions(pool)
    return nearest_to(centres(pool, budget, rng)[:clusters], pool, budget)


def nearest_to(middles: Singles, pool: Singles, budget: int) -> Integers:
    """Each centre in turn takes the most similar document that no other took, until the budget is spent.

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


SELECTIONS: dict[str, Select] = {
    "random": at_random,
    "most-similar": most_similar,
    "kmeans": by_kmeans,
    "procrustes": by_procrustes,
    "groups": by_groups,
    "coverage": by_coverage,
}
CLUSTERED = ("kmeans", "procrustes", "groups", "coverage")
