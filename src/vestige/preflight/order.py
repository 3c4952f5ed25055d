"""Do the vectors belong to the texts beside them, or to those of other rows?"""

from dataclasses import dataclass

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.likeness import SAME, directions, in_form, signed
from vestige.preflight.probing import Probing
from vestige.preflight.result import Check
from vestige.types import Vectors

FEWEST, EXPECTED = 2, 0.5
STEADY = 0.8


@dataclass(frozen=True, slots=True)
class Moved:
    """How many texts have their vector in another row, of how many that do not have it in their own.

    `step` is how many rows on it is found, where that is the same for most.
    """

    elsewhere: int
    astray: int
    step: int | None


def moved(made: Vectors, probing: Probing, specimen: Specimen) -> Moved | None:
    """Look for the vector of each text in all rows; None unless it is elsewhere as often as the sample lets it."""
    like = probing.likeness(made)
    astray = np.flatnonzero(~like.same)
    if not len(astray) or made.shape[1] != specimen.dimension:
        return None
    stored = directions(signed(specimen.vectors[specimen.sound], probing.kept))
    cosines = directions(in_form(made[astray], probing.kept)) @ stored.T
    best = cosines.argmax(axis=1)
    found = cosines[np.arange(len(astray)), best] >= SAME[probing.kept]
    expected = EXPECTED * len(astray) * len(specimen.vectors) / specimen.rows
    if found.sum() < max(FEWEST, expected):
        return None
    steps = specimen.sound[best[found]] - np.array(probing.places)[astray[found]]
    values, counts = np.unique(steps, return_counts=True)
    whole = len(specimen.vectors) == specimen.rows
    step = int(values[counts.argmax()]) if whole and counts.max() >= STEADY * len(steps) else None
    return Moved(int(found.sum()), len(astray), step)


def told_moved(where: Moved, probing: Probing) -> Check:
    """An error: pairs that are no pairs teach an attack nothing, and would look like safety."""
    how = (
        f"each {abs(where.step)} {'row' if abs(where.step) == 1 else 'rows'} {'on' if where.step > 0 else 'back'}"
        if where.step
        else "in no steady order"
    )
    return Check(
        "order",
        "error",
        f"The rows are shuffled: {where.astray} of {len(probing.texts)} texts do not have the vector of their own row, "
        f"and for {where.elsewhere} of these it lies in another, {how}. Bring texts and vectors into one order.",
        {"astray": where.astray, "elsewhere": where.elsewhere, "asked": len(probing.texts)},
    )
