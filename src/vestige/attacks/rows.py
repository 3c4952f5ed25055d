"""Operations on the rows of a table of vectors: blocks of one shape, unit length, unit mean length."""

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vestige.types import Vectors

_Number = TypeVar("_Number", bound=np.generic)


def split_blocks(rows: npt.NDArray[_Number], size: int) -> Iterator[tuple[npt.NDArray[_Number], int]]:
    """Blocks of exactly `size` rows, each with the number of its rows that count.

    The last block is padded with copies of its first row. The bits of a matrix product depend on the shape of the
    matrices, so that with blocks of one shape the result for a row does not depend on how many rows come with it.
    """
    for start in range(0, len(rows), size):
        block = rows[start : start + size]
        yield np.concatenate([block, np.repeat(block[:1], size - len(block), axis=0)]), len(block)


def unit_length(vectors: Vectors) -> Vectors:
    """Each row divided by its length; a row of zeros stays a row of zeros."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12))


def length_scale(vectors: Vectors) -> np.float32:
    """The factor that gives vectors a mean length of 1.

    Published learning rates assume short vectors; with vectors of length 50 a network learns nothing.
    """
    return np.float32(1 / max(float(np.linalg.norm(vectors, axis=1).mean()), 1e-12))
