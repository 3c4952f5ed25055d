"""The lengths of the vectors: unit length or not, and whether they are the lengths that the encoder gives."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vestige.case.vector_sample import VectorSample
from vestige.preflight.form import NumberForm, detect_form
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
    apart = lengths[np.abs(lengths - 1) > UNIT]
    summary = LengthSummary(
        low,
        median,
        high,
        unit=float(np.mean(np.abs(lengths - 1) <= UNIT)),
        spread=float(lengths.std() / lengths.mean()),
        others=float(np.median(apart)) if len(apart) else 1.0,
        around_one=_around_one(lengths),
    )
    yield describe_lengths(summary, form)


class LengthSummary(NamedTuple):
    """Quantiles of the lengths, the share of unit length, the relative deviation, and the median of the others.

    `around_one` says that lengths merely happen to pass through 1.
    """

    low: float
    median: float
    high: float
    unit: float
    spread: float
    others: float
    around_one: bool


def describe_lengths(found: LengthSummary, form: NumberForm) -> Check:
    """The check of the lengths."""
    evidence = {
        "p01": found.low,
        "median": found.median,
        "p99": found.high,
        "unit": found.unit,
        "spread": found.spread,
    }
    if found.unit == 1 or (found.unit > 1 - MIXED and form == "coded"):
        return Check("lengths", "ok", "Every vector has unit length.", evidence)
    if found.unit >= MIXED and not found.around_one:
        problem = f"{found.unit:.1%} of the vectors have unit length, and the others lengths around {found.others:.3g}"
        remedy = "Normalise all to unit length, or encode the others again."
        return Check("lengths", "warning", f"{problem}: they were made in two different ways. {remedy}", evidence)
    sentence = (
        f"The vectors do not have unit length: the middle 98% have lengths from {found.low:.3g} to {found.high:.3g}."
    )
    return Check("lengths", "ok", sentence, evidence)


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
    return is_around_one(float(np.mean(distance <= UNIT)), float(np.mean((distance > UNIT) & (distance <= 2 * UNIT))))


def is_around_one(unit: float, beside: float) -> bool:
    """Whether as many lengths are just next to 1 as at it, by their shares."""
    return unit <= 3 * beside + MIXED
