"""Where a curve of true against false positives lies, both axes logarithmic: it is its lower end that tells."""

from dataclasses import dataclass
from math import log10

from vestige.case.findings import Roc

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 320, 52, 44, 10, 16
DECADES = 3
RATES = tuple(10.0 ** (power - DECADES) for power in range(DECADES + 1))
"""The marks of both axes, from one in a thousand to all."""


@dataclass(frozen=True, slots=True)
class Line:
    """A curve as it is drawn: a path, and the words of its key."""

    path: str
    label: str


def x_of(rate: float) -> float:
    """How far to the right; what is rarer than one in a thousand lies at the edge."""
    return round(LEFT + _share(rate) * (WIDTH - LEFT - RIGHT), 1)


def y_of(rate: float) -> float:
    """How far down."""
    return round(HEIGHT - BOTTOM - _share(rate) * (HEIGHT - TOP - BOTTOM), 1)


def lines(curves: tuple[Roc, ...]) -> list[Line]:
    """The curves, each through all of its points."""
    return [
        Line("M" + "L".join(f"{x_of(at.fpr):g} {y_of(at.tpr):g}" for at in each.points), each.label) for each in curves
    ]


def caught_at(curve: Roc, rate: float) -> float:
    """The share of members found by a threshold that takes in no more than this rate of others."""
    return max(point.tpr for point in curve.points if point.fpr <= rate)


def _share(rate: float) -> float:
    return 1 + max(log10(rate), -DECADES) / DECADES if rate > 0 else 0.0
