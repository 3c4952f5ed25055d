"""Vectors that no encoder made: NaN, infinity, implausibly large numbers, or nothing but zeros."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.result import Check
from vestige.stores.vector_checks import LARGEST
from vestige.types import Flags

SHOWN = 3
"""The number of invalid rows that a sentence names."""


class FaultyRows(NamedTuple):
    """How many rows have a fault, and the first of them in words."""

    rows: int
    first: tuple[str, ...]


def check_invalid(sample: VectorSample) -> Iterator[Check]:
    """Every invalid vector is an error; vectors of zeros as well, which an audit would mistake for safety."""
    vectors = sample.vectors
    finite = np.asarray(np.isfinite(vectors).all(axis=1))
    huge = finite & (np.abs(np.where(np.isfinite(vectors), vectors, 0)).max(axis=1) > LARGEST)
    zeros = finite & ~vectors.any(axis=1)
    yield _check(sample, ~finite, "finite", "contain NaN or infinity", "All numbers are finite.")
    if huge.any():
        yield _check(sample, huge, "size", f"contain numbers beyond {LARGEST:g}", "")
    yield _check(sample, zeros, "zeros", "are all zeros", "No vector is all zeros.")


def check_counted_invalid(infinite: FaultyRows, huge: FaultyRows, zeros: FaultyRows, rows: int) -> Iterator[Check]:
    """The same checks, for all rows of a source."""
    yield _describe(infinite, rows, "finite", "contain NaN or infinity", "All numbers are finite.")
    if huge.rows:
        yield _describe(huge, rows, "size", f"contain numbers beyond {LARGEST:g}", "")
    yield _describe(zeros, rows, "zeros", "are all zeros", "No vector is all zeros.")


def _check(sample: VectorSample, invalid: Flags, name: str, problem: str, fine: str) -> Check:
    places = np.flatnonzero(invalid)
    first = tuple(sample.describe_row(int(place)) for place in places[:SHOWN])
    return _describe(FaultyRows(len(places), first), len(invalid), name, problem, fine)


def _describe(faulty: FaultyRows, rows: int, name: str, problem: str, fine: str) -> Check:
    share = faulty.rows / rows
    evidence = {"rows": faulty.rows, "share": share}
    if not faulty.rows:
        return Check(name, "ok", fine, evidence)
    return Check(
        name,
        "error",
        f"{faulty.rows:,} of {rows:,} vectors ({share:.2%}) {problem}, first {', '.join(faulty.first)}. "
        "Encode those texts again or drop the rows; all other checks skipped them.",
        evidence,
    )
