"""Checks of settings and vectors that attacks and defenses share, with uniform messages."""

from collections.abc import Collection
from numbers import Real

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.types import Vectors


def check_choice(name: str, value: object, allowed: Collection[object]) -> None:
    """Raise unless a setting has one of the allowed values."""
    if value not in allowed:
        listed = " or ".join(repr(choice) for choice in allowed)
        raise InputError(f"The '{name}' parameter must be {listed}. Got {value!r} instead.")


def as_vectors(given: npt.ArrayLike, columns: int | None = None, *, start: int = 0) -> Vectors:
    """Convert to float32 and check: a table of finite numbers, one row per text, with as many `columns` as in `fit`.

    `start` is the number of the first row, for error messages.
    """
    vectors = _to_numbers(given)
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise InputError(f"the vectors have shape {vectors.shape}; expected a table with one row per text")
    if columns is not None and vectors.shape[1] != columns:
        raise InputError(
            f"the vectors have {vectors.shape[1]} columns, and fit was given {columns} columns; "
            "use vectors of the same encoder, or fit again"
        )
    broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(broken):
        raise InputError(
            f"{len(broken)} of {len(vectors)} vectors hold NaN or infinity, the first in row {start + broken[0]}; "
            "expected finite numbers; remove these rows, or encode their texts again"
        )
    return vectors


def _to_numbers(given: npt.ArrayLike) -> Vectors:
    if hasattr(given, "nnz"):  # scipy, which takes long to import, is not needed to recognize its tables
        raise InputError(
            "the vectors are a sparse table, and this attack, recipe or defense takes a dense one; reduce them (as "
            "'lsa:hashing' does), or use multi-set or multi-label inversion, which take sparse tables"
        )
    try:
        table = np.asarray(given)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"the vectors are not a table of numbers: {error}; expected one row per text, all of the same length"
        ) from error
    if table.dtype.kind not in "biuf":
        raise InputError(
            f"the vectors are not a table of numbers but of {table.dtype}; expected one row of numbers per text"
        )
    with np.errstate(over="ignore"):
        return table.astype(np.float32, copy=False)


def check_above(name: str, value: object, bound: float, most: float = np.inf) -> None:
    """Raise unless a setting is a finite number above `bound` and at most `most`."""
    if not isinstance(value, Real) or not bound < float(value) <= most or not np.isfinite(float(value)):
        upper = f" and at most {most:g}" if np.isfinite(most) else ""
        raise InputError(f"The '{name}' parameter must be a number above {bound:g}{upper}. Got {value!r} instead.")


def check_count(name: str, value: object, fewest: int, most: int | None = None) -> None:
    """Raise unless a setting is a whole number from `fewest` to `most`."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or not fewest <= value <= (value if most is None else most)
    ):
        upper = "" if most is None else f" and at most {most}"
        raise InputError(
            f"The '{name}' parameter must be a whole number, at least {fewest}{upper}. Got {value!r} instead."
        )
