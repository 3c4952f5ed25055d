"""Scores of members and non-members that the tests share."""

import numpy as np

from vestige.metrics.membership.grouped_scores import GroupedScores

MEMBERS, OTHERS = np.array([3.0, 2.0, 2.0, 1.0]), np.array([2.0, 1.0, 1.0, 0.0])


def rng():
    return np.random.default_rng(0)


def grouped(scores, rows=1):
    """Scores whose documents have this many rows each."""
    owners = np.arange(len(scores)) // rows
    return GroupedScores(np.asarray(scores, dtype=np.float64), owners, int(owners[-1]) + 1)


def names(prefix, n):
    return [f"{prefix}{row}" for row in range(n)]
