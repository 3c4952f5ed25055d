"""What is left of a vector when a store has kept it: single or half precision, one byte or one bit a number."""

from collections.abc import Callable

import numpy as np

from vestige.types import Vectors


def as_float32(vectors: Vectors) -> Vectors:
    """As they are."""
    return np.asarray(vectors, np.float32)


def as_float16(vectors: Vectors) -> Vectors:
    """Rounded to half precision."""
    return np.asarray(vectors, np.float16).astype(np.float32)


def as_int8(vectors: Vectors) -> Vectors:
    """Each number as one of 255 steps between minus and plus the largest of its row; a row of zeros stays one."""
    step = np.abs(vectors).max(axis=1, keepdims=True, initial=0) / 127
    return np.asarray(np.rint(vectors / np.where(step, step, 1)) * step, np.float32)


def as_binary(vectors: Vectors) -> Vectors:
    """The sign of each number; 0 counts as negative."""
    return np.where(np.asarray(vectors) > 0, np.float32(1), np.float32(-1))


FORMS: dict[str, Callable[[Vectors], Vectors]] = {
    "float32": as_float32,
    "float16": as_float16,
    "int8": as_int8,
    "binary": as_binary,
}
