"""Checks that vectors can be audited, with errors that name the rows at fault."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError, UnusableRows
from vestige.types import Integers, Vectors

LARGEST = 1e12
WIDEST = 8
MOST_COLUMNS = 2**20
"""No encoder has as many. A few bytes may declare a billion of zeros, and every step takes minutes with them."""


def as_checked_vectors(raw: npt.ArrayLike, place: str) -> Vectors:
    """Return the vectors as float32, or raise an error that says what is wrong with them."""
    try:
        array = np.asarray(raw)
    except ValueError as error:
        raise InputError(f"{place} has rows of different lengths ({error}); expected one row per vector") from error
    check_matrix(array, place)
    vectors = array.astype(np.float32)
    check_embeddings(vectors, place)
    return vectors


def check_matrix(array: Any, place: str) -> None:
    """Raise unless this is a non-empty matrix of real numbers, judging by shape and dtype alone."""
    if len(array.shape) == 2 and array.shape[0] == 0:
        raise InputError(f"{place} has shape {array.shape} and is empty; expected at least one vector")
    if len(array.shape) != 2 or 0 in array.shape:
        raise InputError(f"{place} has shape {array.shape}; expected rows and columns, one row per vector")
    if array.shape[1] > MOST_COLUMNS:
        raise InputError(f"{place} has shape {array.shape}; expected at most {MOST_COLUMNS:,} columns")
    if not np.issubdtype(array.dtype, np.number) or np.issubdtype(array.dtype, np.complexfloating):
        raise InputError(f"{place} holds {array.dtype}; expected numbers")
    if array.dtype.itemsize > WIDEST:
        raise InputError(f"{place} holds {array.dtype}; expected numbers of at most 64 bits, save them as float32")


def check_finite(vectors: Vectors, place: str, rows: Sequence[object] | None = None) -> None:
    """Raise if a vector holds NaN or infinity. `rows` are the numbers or ids of the rows if these are a sample."""
    broken = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(broken):
        raise UnusableRows(
            f"{place} has NaN or infinite values in {_describe_rows(broken, vectors, rows)}; "
            "encode those texts again or drop the rows"
        )


def check_embeddings(vectors: Vectors, place: str, rows: Sequence[object] | None = None) -> None:
    """Raise on vectors that no encoder produces: empty ones would pass for ones that leak nothing."""
    check_finite(vectors, place, rows)
    if np.abs(vectors).max() > LARGEST:
        raise InputError(f"{place} holds values beyond {LARGEST:g}; expected embeddings, scale them down")
    if len(vectors) > 1 and (vectors == vectors[0]).all():
        raise InputError(f"{place} has {len(vectors)} equal rows; expected vectors that differ, encode the texts again")
    zeros = np.flatnonzero(~vectors.any(axis=1))
    if len(zeros):
        where = _describe_rows(zeros, vectors, rows)
        raise InputError(f"{place} has nothing but zeros in {where}; encode those texts again or drop them")


def _describe_rows(faulty: Integers, vectors: Vectors, rows: Sequence[object] | None) -> str:
    read = " read" if rows is not None else ""
    first = faulty[0] if rows is None else rows[faulty[0]]
    return f"{len(faulty)} of {len(vectors)} rows{read}, first in row {first}"
