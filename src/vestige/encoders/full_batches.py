"""Full batches of texts of equal length, for recurrent networks and small transformers.

A matrix product of few rows takes another code path, with other last bits. So every batch has the same number of rows,
the last one of each length filled up with copies, and a vector is bit-identical alone, in any batch and in any order.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from vestige.encoders.batching import batch_by_length
from vestige.types import Advance, Vectors

ROWS = 32

Words = TypeVar("Words")


def encode_full_batches(
    texts: Sequence[Sequence[Words]],
    dimension: int,
    encode: Callable[[list[Sequence[Words]]], Vectors],
    advance: Advance,
) -> Vectors:
    """One row per text, in the order given; `encode` receives `ROWS` texts of equal length."""
    vectors = np.empty((len(texts), dimension), dtype=np.float32)
    for batch in batch_by_length([len(text) for text in texts], ROWS):
        filled = [texts[batch[row % len(batch)]] for row in range(ROWS)]
        vectors[batch] = encode(filled)[: len(batch)]
        advance(len(batch))
    return vectors
