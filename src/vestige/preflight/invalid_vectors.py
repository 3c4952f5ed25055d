"""Vectors that no encoder made: NaN, infinity, implausibly large numbers, or nothing but zeros."""

from collections.abc import Iterator

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.result import Check
from vestige.stores.vector_checks import LARGEST
from vestige.types import Flags

SHOWN = 3
"""The number of invalid rows that a sentence names."""


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


def _check(sample: VectorSample, invalid: Flags, name: str, problem: str, fine: str) -> Check:
    count, share = int(invalid.sum()), float(invalid.mean())
    evidence = {"rows": count, "share": share}
    if not count:
        return Check(name, "ok", fine, evidence)
    first = ", ".join(sample.describe_row(int(place)) for place in np.flatnonzero(invalid)[:SHOWN])
    return Check(
        name,
        "error",
        f"{count:,} of {len(invalid):,} vectors ({share:.2%}) {problem}, first {first}. "
        "Encode those texts again or drop the rows; all other checks skipped them.",
        evidence,
    )
