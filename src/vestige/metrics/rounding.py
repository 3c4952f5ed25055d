"""Scores are rounded when they are made, so that what is decided on is what is written down."""

from vestige.types import Score

PLACES = 6


def rounded(value: float, low: float, high: float, n: int, baseline: float | None = None) -> Score:
    """A score to six places."""
    value, low, high = (round(float(part), PLACES) for part in (value, low, high))
    return Score(value, low, high, n, None if baseline is None else round(float(baseline), PLACES))
