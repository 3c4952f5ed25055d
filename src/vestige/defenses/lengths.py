"""Lengths of single rows, reckoned in double precision."""

import numpy as np

from vestige.types import Floats, Singles, Vectors


def lengths_of(vectors: Vectors) -> Floats:
    """The length of each row, (rows, 1), and where it is 0 the least single number that can be divided by."""
    wide = vectors.astype(np.float64)
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    return np.maximum(lengths, np.finfo(np.float32).tiny)


def unit(vectors: Vectors) -> Singles:
    """The rows at length 1; nothing but zeros stays so."""
    scale: Singles = (1 / lengths_of(vectors)).astype(np.float32)
    return vectors * scale
