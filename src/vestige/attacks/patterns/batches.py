"""Rows to learn from, batch after batch."""

from collections.abc import Iterator

import numpy as np

from vestige.types import Integers


def batches(rows: int, size: int, count: int, rng: np.random.Generator) -> Iterator[Integers]:
    """So many batches; every row comes up once before any comes up again. A batch never holds a row twice."""
    size = min(size, rows)
    order = rng.permutation(rows)
    start = 0
    for _ in range(count):
        if start + size > rows:
            order, start = rng.permutation(rows), 0
        yield order[start : start + size]
        start += size
