"""Undo a secret order of columns with secret signs: which stolen column is which own one."""

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from vestige.types import Floats, Vectors

QUANTILES = np.linspace(0.01, 0.99, 50)
TINY = 1e-3


def match_columns(stolen: Vectors, own: Vectors) -> Floats:
    """The signed permutation that gives every stolen column to the own column of the most similar distribution."""
    theirs, ours = (np.quantile(rows, QUANTILES, axis=0).T for rows in (stolen, own))
    costs = np.stack([cdist(sign * theirs[:, ::sign], ours, "cityblock") for sign in (1, -1)])
    return assign_columns(costs[1] - costs[0], costs.max() - costs.min(axis=0))


def assign_columns(agreement: Floats, strength: Floats | None = None) -> Floats:
    """The signed permutation of the greatest strength, which is the size of the agreement unless it is given.

    The sign of a column's agreement with another says whether it is the same or the opposite.
    """
    rows, columns = linear_sum_assignment(np.abs(agreement) if strength is None else strength, maximize=True)
    matrix = np.zeros(agreement.shape)
    matrix[rows, columns] = np.where(agreement[rows, columns] >= 0, 1, -1)
    return matrix


def compare_columns(stolen: Vectors, own: Vectors) -> Floats:
    """How near every stolen column is to every own one, or to its opposite, in pairs: a large number, with its sign."""
    near, far = (cdist(sign * stolen.T, own.T) for sign in (1, -1))
    agreement: Floats = np.where(near <= far, 1, -1) / (np.minimum(near, far) + TINY)
    return agreement
