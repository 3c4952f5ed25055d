"""What can be said about a vector without its coordinates: numbers that no rotation changes."""

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from vestige.attacks.rows import unit_length
from vestige.types import Floats, Singles, Vectors

SHARES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.995)
COMPARED = 2000
MOST_MULTIPLIED = 10
_NEGLIGIBLE = 1e-3


def describe_rows(vectors: Vectors, rng: np.random.Generator) -> Singles:
    """Per row: its length, its place along the mean, and how its cosines to other rows are distributed.

    Cosines are taken as they are and around the mean. Every number becomes the normal score of its rank among the rows,
    so that neither scale nor a little noise matters.
    """
    mean = vectors.mean(axis=0)
    compared = rng.permutation(len(vectors))[:COMPARED]
    found = [vectors @ mean, np.linalg.norm(vectors - mean, axis=1)]
    for rows in (unit_length(vectors), unit_length(vectors - mean)):
        cosines = rows @ rows[compared].T
        cosines.sort(axis=1)
        found += [cosines[:, int(share * len(compared))] for share in SHARES]
    ranks = rankdata(np.stack(found, axis=1), axis=0)
    return np.asarray(ndtri((ranks - 0.5) / len(vectors)), dtype=np.float32)


def find_anchors(stolen: Vectors, own: Vectors, rng: np.random.Generator) -> Floats:
    """The cross-covariance, (columns of stolen, columns of own), of directions that correspond without any pair.

    A direction is the mean of all rows, weighted by a function of their descriptors. Rotated rows have the same
    descriptors, so that the same function gives the rotated direction. The functions are descriptors, made uncorrelated
    on the adversary's own rows, and products of two of them.
    """
    ours, theirs = describe_rows(own, rng), describe_rows(stolen, rng)
    mean = ours.mean(axis=0)
    values, axes = np.linalg.eigh(np.cov((ours - mean).T))
    used = values > _NEGLIGIBLE
    whitening = (axes[:, used] / np.sqrt(values[used]))[:, ::-1]
    directions = [
        _weigh((rows - mean) @ whitening).T @ (vectors - vectors.mean(axis=0)) / len(vectors)
        for rows, vectors in ((theirs, stolen), (ours, own))
    ]
    crossed: Floats = directions[0].T @ directions[1]
    return crossed


def _weigh(scores: Floats) -> Floats:
    """The scores, and products of two of the first ones, around their means."""
    few = scores[:, :MOST_MULTIPLIED]
    first, second = np.tril_indices(few.shape[1])
    functions = np.hstack([scores, few[:, first] * few[:, second]])
    weights: Floats = functions - functions.mean(axis=0)
    return weights
