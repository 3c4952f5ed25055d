"""Rows in blocks of one shape. The bits of a product depend on its shape: so a row's do not depend on its company."""

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

_Number = TypeVar("_Number", bound=np.generic)


def blocks(rows: npt.NDArray[_Number], size: int) -> Iterator[tuple[npt.NDArray[_Number], int]]:
    """The rows, `size` at a time, each time with how many of them count; the last block is filled with its first."""
    for start in range(0, len(rows), size):
        block = rows[start : start + size]
        yield np.concatenate([block, np.repeat(block[:1], size - len(block), axis=0)]), len(block)
