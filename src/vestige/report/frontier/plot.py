"""Where defenses lie when what they keep is drawn against what they leak."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor

from vestige.defend.limits import Limit, parse_limit
from vestige.defend.record import DefendResult, Trial
from vestige.report.chart import Scale
from vestige.types import Score

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 440, 52, 48, 14, 20
_CLOSE = 13.0
"""Numbers nearer to each other than this would overlap."""


@dataclass(frozen=True, slots=True)
class Point:
    """A defense on the plot: its number in the table, its places, and the ends of both intervals."""

    number: int
    trial: Trial
    x: float
    y: float
    left: float
    right: float
    top: float
    bottom: float
    naive: float | None
    shown: bool

    @property
    def label(self) -> str:
        """For those who hear the page, or rest on the point."""
        return f"{self.number}: {self.trial.defense}"


@dataclass(frozen=True)
class Plot:
    """Leakage to the right, what is kept upward: the best corner is the upper left."""

    leaks: Scale
    keeps: Scale
    points: list[Point]
    line: str
    across: float | None
    up: float | None

    def x(self, value: float) -> float:
        """How far to the right."""
        return _between(LEFT, WIDTH - RIGHT, value, self.leaks)

    def y(self, value: float) -> float:
        """How far down."""
        return _between(HEIGHT - BOTTOM, TOP, value, self.keeps)

    @property
    def marks(self) -> list[tuple[str, float]]:
        """The figures of the leakage axis, and their places."""
        return [(tick.label, self.x(float(tick.label))) for tick in self.leaks.ticks]

    @property
    def heights(self) -> list[tuple[str, float]]:
        """The figures of the other axis, and their places."""
        return [(tick.label, self.y(float(tick.label))) for tick in self.keeps.ticks]


def plot_of(result: DefendResult) -> Plot:
    """All trials; the frontier as a line through those that are on it."""
    question, cost = result.question, result.cost
    leaks = _scale([trial.leakage[question] for trial in result.trials])
    keeps = _scale([trial.scores[cost] for trial in result.trials])
    limits = [parse_limit(expression) for expression in result.limits]
    empty = Plot(leaks, keeps, [], "", _limit(limits, question), _limit(limits, cost))
    points: list[Point] = []
    for number, trial in enumerate(result.trials, 1):
        points.append(_point(empty, number, trial, result, points))
    on = sorted((point.x, point.y) for point in points if point.trial.frontier)
    line = "M" + "L".join(f"{x:g} {y:g}" for x, y in on) if on else ""
    return Plot(leaks, keeps, points, line, empty.across, empty.up)


def _point(plot: Plot, number: int, trial: Trial, result: DefendResult, before: Sequence[Point]) -> Point:
    leak, kept = trial.leakage[result.question], trial.scores[result.cost]
    naive = next(reading.naive for reading in trial.privacy if reading.question == result.question)
    x, y = plot.x(leak.value), plot.y(kept.value)
    apart = all(abs(other.x - x) > 2 * _CLOSE or abs(other.y - y) > _CLOSE for other in before if other.shown)
    return Point(
        number,
        trial,
        x,
        y,
        plot.x(leak.low),
        plot.x(leak.high),
        plot.y(kept.high),
        plot.y(kept.low),
        None if naive is None else max(plot.x(naive.value), LEFT),
        trial.fate != "dropped" and apart,
    )


def _scale(scores: Iterable[Score]) -> Scale:
    """From 0, or below, to the first mark above all intervals."""
    ends = [end for score in scores for end in (score.low, score.high)]
    low, high = min(0, *ends), max(0.1, *ends)
    step = 0.1 if high - low < 0.75 else 0.2
    return Scale(floor(round(low / step, 6)) * step, ceil(round(high / step, 6)) * step, step)


def _limit(limits: Sequence[Limit], name: str) -> float | None:
    return next((limit.value for limit in limits if limit.concerns(name)), None)


def _between(start: float, end: float, value: float, scale: Scale) -> float:
    return round(start + (end - start) * (value - scale.low) / (scale.high - scale.low), 1)
