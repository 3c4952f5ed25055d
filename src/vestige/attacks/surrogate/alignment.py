"""Bringing the surrogate's vectors into the private space before any pair is known."""

import numpy as np

from vestige.types import Floats, Singles


def padded_procrustes(surrogate: Singles, private: Singles) -> Singles:
    """The orthogonal map of Equation 4.1, exactly as written: the smaller matrix is filled up with rows of zeros.

    Row i of one is paired with row i of the other, though nothing connects the two documents.
    """
    surrogate, private = as_wide(surrogate, private)
    paired = min(len(surrogate), len(private))
    return rotated(surrogate, (surrogate[:paired].T @ private[:paired]).astype(np.float64))


def rotated(vectors: Singles, cross: Floats) -> Singles:
    """The vectors under the orthogonal map that the cross-covariance with the other space asks for."""
    left, _, right = np.linalg.svd(cross)
    return np.asarray(vectors @ (left @ right), dtype=np.float32)


def as_wide(first: Singles, second: Singles) -> tuple[Singles, Singles]:
    """Both with as many columns, the narrower filled up with zeros."""
    width = max(first.shape[1], second.shape[1])
    return widened(first, width), widened(second, width)


def widened(vectors: Singles, width: int) -> Singles:
    """The first `width` columns, zeros where there are fewer."""
    return np.pad(vectors[:, :width], ((0, 0), (0, max(0, width - vectors.shape[1]))))
