"""Vectors that are none: not numbers, or nothing but zeros."""

from collections.abc import Iterator

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.result import Check
from vestige.stores.checks import LARGEST
from vestige.types import Flags

FIRST = 3


def check_broken(specimen: Specimen) -> Iterator[Check]:
    """NaN, infinities and numbers no encoder makes are an error; so are zeros, which would pass for safety."""
    finite = np.asarray(np.isfinite(specimen.vectors).all(axis=1))
    huge = finite & (np.abs(np.where(np.isfinite(specimen.vectors), specimen.vectors, 0)).max(axis=1) > LARGEST)
    zeros = finite & ~specimen.vectors.any(axis=1)
    yield _check(specimen, ~finite, "finite", "hold NaN or infinity", "Every vector is of finite numbers.")
    if huge.any():
        yield _check(specimen, huge, "size", f"hold numbers beyond {LARGEST:g}", "")
    yield _check(specimen, zeros, "zeros", "are nothing but zeros", "No vector is all zeros.")


def _check(specimen: Specimen, broken: Flags, name: str, said: str, fine: str) -> Check:
    count, share = int(broken.sum()), float(broken.mean())
    evidence = {"rows": count, "share": share}
    if not count:
        return Check(name, "ok", fine, evidence)
    first = ", ".join(specimen.number(int(place)) for place in np.flatnonzero(broken)[:FIRST])
    return Check(
        name,
        "error",
        f"{count:,} of {len(broken):,} vectors ({share:.2%}) {said}, first {first}. "
        "Encode those texts again or drop the rows; they were left out of all other checks.",
        evidence,
    )
