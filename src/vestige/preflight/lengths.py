"""The lengths of the vectors: unit length or not, and whether they are the lengths that the encoder gives."""

from collections.abc import Iterator

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.form import detect_form
from vestige.preflight.result import Check
from vestige.preflight.spot_check import SpotCheck
from vestige.types import Encoder, Vectors

UNIT = 2e-3
"""The tolerance of unit length; half precision can change a length by a thousandth."""

MIXED = 0.01
STEADY = 1e-2


def check_lengths(sample: VectorSample) -> Iterator[Check]:
    """Whether the vectors have unit length; a warning if only some do, which a single encoder never gives."""
    lengths, form = sample.lengths, detect_form(sample)
    if not len(lengths) or form in ("int8", "binary"):
        return
    low, median, high = (float(value) for value in np.quantile(lengths, (0.01, 0.5, 0.99)))
    unit = float(np.mean(np.abs(lengths - 1) <= UNIT))
    spread = float(lengths.std() / lengths.mean())
    evidence = {"p01": low, "median": median, "p99": high, "unit": unit, "spread": spread}
    if unit == 1 or (unit > 1 - MIXED and form == "coded"):
        yield Check("lengths", "ok", "Every vector has unit length.", evidence)
    elif unit >= MIXED and not _around_one(lengths):
        others = float(np.median(lengths[np.abs(lengths - 1) > UNIT]))
        problem = f"{unit:.1%} of the vectors have unit length, and the others lengths around {others:.3g}"
        remedy = "Normalise all to unit length, or encode the others again."
        yield Check("lengths", "warning", f"{problem}: they were made in two different ways. {remedy}", evidence)
    else:
        sentence = f"The vectors do not have unit length: the middle 98% have lengths from {low:.3g} to {high:.3g}."
        yield Check("lengths", "ok", sentence, evidence)


def check_normalisation(encoder: Encoder, encoded: Vectors, spot_check: SpotCheck) -> Iterator[Check]:
    """Whether stored vectors with the encoder's directions have its lengths as well."""
    if spot_check.form not in ("float32", "float16"):
        return
    ours, stored = np.linalg.norm(encoded, axis=1), np.linalg.norm(spot_check.stored, axis=1)
    ratios = stored / np.maximum(ours, 1e-12)
    median = float(np.median(ratios))
    evidence = {"ratio": median, "spread": float(ratios.std() / median)}
    if abs(median - 1) <= STEADY and evidence["spread"] <= STEADY:
        yield Check("normalisation", "ok", f"The vectors have the lengths that '{encoder.name}' gives.", evidence)
        return
    if is_unit(stored):
        sentence = f"'{encoder.name}' gives lengths around {np.median(ours):.3g}; these were normalised to unit length."
        yield Check("normalisation", "note", sentence, evidence)
        return
    problem = "normalises vectors to unit length, and these are not" if is_unit(ours) else "gives other lengths"
    factor = f": each vector is {median:.3g} times as long" if evidence["spread"] <= STEADY else ""
    consequence = "The directions are the same, but a search by inner product gives other results."
    yield Check("normalisation", "warning", f"'{encoder.name}' {problem}{factor}. {consequence}", evidence)


def is_unit(lengths: Vectors) -> bool:
    """Whether vectors were normalised to unit length."""
    return bool(len(lengths) and np.abs(lengths - 1).max() <= UNIT)


def _around_one(lengths: Vectors) -> bool:
    """Whether lengths merely happen to pass through 1, with as many just next to it as at it."""
    distance = np.abs(lengths - 1)
    return bool(np.mean(distance <= UNIT) <= 3 * np.mean((distance > UNIT) & (distance <= 2 * UNIT)) + MIXED)
