"""Whether the vectors belong to the texts of their own rows, or to the texts of other rows."""

from dataclasses import dataclass

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.result import Check
from vestige.preflight.similarity import SAME_COSINE, convert, normalize, use_signs
from vestige.preflight.spot_check import SpotCheck
from vestige.types import Vectors

FEWEST, EXPECTED = 2, 0.5
STEADY = 0.8


@dataclass(frozen=True, slots=True)
class RowShift:
    """Of the texts whose vector is not in their own row (`missing`), how many have it in another row (`moved`).

    `step` is the distance in rows, if it is the same for most.
    """

    moved: int
    missing: int
    step: int | None


def find_shift(encoded: Vectors, spot_check: SpotCheck, sample: VectorSample) -> RowShift | None:
    """Search all rows for the vector of each text; None unless it is in another row as often as the sample allows."""
    missing = np.flatnonzero(~spot_check.compare(encoded).same)
    if not len(missing) or encoded.shape[1] != sample.dimension:
        return None
    stored = normalize(use_signs(sample.vectors[sample.valid], spot_check.form))
    cosines = normalize(convert(encoded[missing], spot_check.form)) @ stored.T
    best = cosines.argmax(axis=1)
    moved = cosines[np.arange(len(missing)), best] >= SAME_COSINE[spot_check.form]
    expected = EXPECTED * len(missing) * len(sample.vectors) / sample.rows
    if moved.sum() < max(FEWEST, expected):
        return None
    steps = sample.valid[best[moved]] - np.array(spot_check.positions)[missing[moved]]
    values, counts = np.unique(steps, return_counts=True)
    complete = len(sample.vectors) == sample.rows
    step = int(values[counts.argmax()]) if complete and counts.max() >= STEADY * len(steps) else None
    return RowShift(int(moved.sum()), len(missing), step)


def describe_shift(shift: RowShift, spot_check: SpotCheck) -> Check:
    """An error: an attack learns nothing from mismatched pairs, which would look like safety."""
    where = "in no regular order"
    if shift.step:
        distance = f"{abs(shift.step)} {'row' if abs(shift.step) == 1 else 'rows'}"
        where = f"each {distance} {'further on' if shift.step > 0 else 'back'}"
    asked = len(spot_check.texts)
    return Check(
        "order",
        "error",
        f"The rows are shuffled: the vectors of {shift.missing} of {asked} texts are not in their own row, and for "
        f"{shift.moved} of these the vector is in another row, {where}. Put texts and vectors in the same order.",
        {"astray": shift.missing, "elsewhere": shift.moved, "asked": asked},
    )
