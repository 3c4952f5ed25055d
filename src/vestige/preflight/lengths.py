"""The lengths of the vectors: all one, or how far apart."""

from collections.abc import Iterator

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.form import kept_as
from vestige.preflight.result import Check
from vestige.types import Vectors

UNIT = 2e-3
MIXED = 0.01


def is_unit(lengths: Vectors) -> bool:
    """Whether vectors were brought to unit length; half precision may take a thousandth off."""
    return bool(len(lengths) and np.abs(lengths - 1).max() <= UNIT)


def check_lengths(specimen: Specimen) -> Iterator[Check]:
    """Unit length or not; a warning where some are and some are not, which no one encoder does."""
    lengths = specimen.lengths
    if not len(lengths) or kept_as(specimen) in ("int8", "binary"):
        return
    low, middle, high = (float(value) for value in np.quantile(lengths, (0.01, 0.5, 0.99)))
    unit = float(np.mean(np.abs(lengths - 1) <= UNIT))
    evidence = {
        "p01": low,
        "median": middle,
        "p99": high,
        "unit": unit,
        "spread": float(lengths.std() / lengths.mean()),
    }
    if unit == 1 or (unit > 1 - MIXED and kept_as(specimen) == "coded"):
        yield Check("lengths", "ok", "Every vector has unit length.", evidence)
    elif unit >= MIXED and not _around_one(lengths):
        yield Check(
            "lengths",
            "warning",
            f"{unit:.1%} of the vectors have unit length, and the others lengths around "
            f"{float(np.median(lengths[np.abs(lengths - 1) > UNIT])):.3g}: two ways of making them were mixed. "
            "Bring all to unit length, or encode the others again.",
            evidence,
        )
    else:
        yield Check(
            "lengths",
            "ok",
            f"The vectors are not of unit length: the middle 98% have lengths from {low:.3g} to {high:.3g}.",
            evidence,
        )


def _around_one(lengths: Vectors) -> bool:
    """Whether lengths merely happen to pass through 1, as many just below it as at it."""
    near = np.abs(lengths - 1)
    return bool(np.mean(near <= UNIT) <= 3 * np.mean((near > UNIT) & (near <= 2 * UNIT)) + MIXED)
