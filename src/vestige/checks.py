"""What attacks and defenses ask alike of their settings and of vectors, in one manner of words."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.types import Vectors


def check_choice(name: str, value: object, allowed: Collection[object]) -> None:
    """A setting that takes one of a few values."""
    if value not in allowed:
        listed = " or ".join(repr(choice) for choice in allowed)
        raise InputError(f"The '{name}' parameter must be {listed}. Got {value!r} instead.")


def as_vectors(given: npt.ArrayLike, columns: int | None = None, *, start: int = 0) -> Vectors:
    """A table of finite numbers, one row a text; of so many `columns` where something was fitted on them.

    `start` is the number of the first row, for words on what is wrong.
    """
    vectors = _numbers(given)
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise InputError(f"the vectors have shape {vectors.shape}; give a table with one row a text and columns in it")
    if columns is not None and vectors.shape[1] != columns:
        raise InputError(
            f"the vectors have {vectors.shape[1]} columns, and fit was given {columns} columns; "
            "give vectors of the same encoder, or fit again"
        )
    broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(broken):
        raise InputError(
            f"{len(broken)} of {len(vectors)} vectors hold NaN or infinity, the first in row {start + broken[0]}; "
            "finite numbers are needed, so leave these rows out or encode their texts again"
        )
    return vectors


def _numbers(given: npt.ArrayLike) -> Vectors:
    try:
        found = np.asarray(given)
    except (TypeError, ValueError) as uneven:
        raise InputError(f"the vectors are no table of numbers: {uneven}; give one row a text, all as long") from uneven
    if found.dtype.kind not in "biuf":
        raise InputError(f"the vectors are no table of numbers but of {found.dtype}; give one row of numbers a text")
    with np.errstate(over="ignore"):
        return found.astype(np.float32, copy=False)
