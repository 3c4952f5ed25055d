"""What can be seen of a vector without knowing its encoder, the same whatever positive number it is multiplied by."""

import numpy as np

from vestige.types import Floats, Vectors

WIDEST = 1024
SIMPLE = ("share of zeros", "share of negative numbers", "peakedness")


def lengths(vectors: Vectors) -> Floats:
    """The Euclidean length of each vector."""
    return np.asarray(np.linalg.norm(vectors.astype(np.float64), axis=1), dtype=np.float64)


def directions(vectors: Vectors) -> Floats:
    """The vectors at length one, neighbouring columns added up where there are more than `WIDEST`."""
    columns = vectors.shape[1]
    rows = vectors.astype(np.float64)
    if columns > WIDEST:
        rows = np.add.reduceat(rows, np.arange(WIDEST) * columns // WIDEST, axis=1)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), dtype=np.float64)


def simple_traits(vectors: Vectors) -> Floats:
    """(vectors, 3): the share of zeros, of negative numbers among the others, and log of d·Σu⁴ of the direction u.

    The last is 0 for a vector whose numbers are all of one size, and log d for one with a single number in it.
    """
    zeros = (vectors == 0).mean(axis=1)
    negative = (vectors < 0).sum(axis=1) / np.maximum((vectors != 0).sum(axis=1), 1)
    unit = vectors / np.maximum(lengths(vectors), 1e-12)[:, None]
    fourth = vectors.shape[1] * np.power(unit, 4).sum(axis=1)
    return np.column_stack([zeros, negative, np.log(np.maximum(fourth, 1e-12))])
