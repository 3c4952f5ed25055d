"""Geometry of the charts, without any drawing: the templates turn it into SVG.

Bars and dumbbells use a `Scale`, in percent of the width, so that they fit any width. Plots of two axes use a
`PlotArea`, in the units of an SVG view box.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, log10

from vestige.case.findings import Chart, Measure, Roc
from vestige.types import Score

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_BLOCKS = 10
_CHARACTER = 7.0

LEAST_DIFFERENCE = 0.01
"""The scale of differences reaches this far at least, so that noise does not look like a change."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled mark on the scale; the outer labels are anchored inwards so that they do not overflow."""

    value: float
    at: str
    label: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from `low` to `high`, with a tick every `step`."""

    low: float
    high: float
    step: float

    def at(self, value: float) -> str:
        """The position of a value, in percent of the width."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}%"

    def reach(self, one: float, other: float) -> str:
        """The distance between two values, in percent of the width."""
        return f"{100 * abs(one - other) / (self.high - self.low):.2f}%"

    @property
    def ticks(self) -> list[Tick]:
        """The ticks, from left to right."""
        count = round((self.high - self.low) / self.step)
        anchors = ["start", *["middle"] * (count - 1), "end"]
        values = [self.low + place * self.step for place in range(count + 1)]
        return [
            Tick(value, self.at(value), f"{round(value, 6):g}", anchor)
            for value, anchor in zip(values, anchors, strict=True)
        ]


def build_scale(scores: Iterable[Score]) -> Scale:
    """From 0 to 1, or wider if a score, its interval or its baseline is outside; both ends are round numbers."""
    values = [0.0, 1.0]
    for score in scores:
        values += [score.value, score.low, score.high, *([] if score.baseline is None else [score.baseline])]
    low, high = min(values), max(values)
    step = _round_step((high - low) / 4)
    return Scale(floor(low / step) * step, ceil(high / step) * step, step)


def scale_measures(measures: Iterable[Measure]) -> Scale:
    """One scale for every measure of a finding."""
    return build_scale(score for measure in measures for score in (measure.attack, measure.prior, measure.control))


def scale_bars(chart: Chart) -> Scale:
    """One scale for every bar of a chart."""
    return build_scale(bar.score for bar in chart.bars)


def scale_differences(scores: Iterable[Score]) -> Scale:
    """As far below zero as above it, so that zero is in the middle; both ends are round numbers."""
    farthest = max((abs(end) for score in scores for end in (score.value, score.low, score.high)), default=0.0)
    step = _round_step(max(farthest, LEAST_DIFFERENCE) / 2)
    reach = ceil(max(farthest, LEAST_DIFFERENCE) / step) * step
    return Scale(-reach, reach, step)


def fill_blocks(share: float) -> list[float]:
    """How full each of ten blocks is, so that together they show the share."""
    return [min(max(share * _BLOCKS - place, 0.0), 1.0) for place in range(_BLOCKS)]


def _round_step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return power * next(step for step in _STEPS if step * power >= least * (1 - 1e-9))


@dataclass(frozen=True, slots=True)
class PlotAxis:
    """One axis of a plot: its title, its range, and the values that get a label.

    A value outside the range is drawn at the edge. On a logarithmic axis, zero is at the lower end.
    """

    title: str
    low: float
    high: float
    labels: tuple[tuple[float, str], ...]
    logarithmic: bool = False

    @classmethod
    def from_scale(cls, title: str, scale: Scale) -> "PlotAxis":
        """A linear axis with the ticks of a scale."""
        return cls(title, scale.low, scale.high, tuple((tick.value, tick.label) for tick in scale.ticks))

    def share(self, value: float) -> float:
        """The position of a value between the lower end (0) and the upper end (1); the middle if there is no range."""
        low, high = self.low, self.high
        value = min(max(value, low), high)
        if self.logarithmic:
            low, high, value = log10(low), log10(high), log10(value)
        return (value - low) / (high - low) if high > low else 0.5


@dataclass(frozen=True)
class PlotArea:
    """A view box with margins, in which two axes place values."""

    x_axis: PlotAxis
    y_axis: PlotAxis
    width: int = 640
    height: int = 320
    left: int = 68
    right: int = 24
    top: int = 10
    bottom: int = 44

    def x(self, value: float) -> float:
        """The horizontal position of a value."""
        return round(self.left + self.x_axis.share(value) * (self.width - self.left - self.right), 1)

    def y(self, value: float) -> float:
        """The vertical position of a value; SVG counts from the top."""
        return round(self.height - self.bottom - self.y_axis.share(value) * (self.height - self.top - self.bottom), 1)

    @cached_property
    def columns(self) -> list[tuple[float, str]]:
        """Positions and labels of the vertical grid lines; a label that would overlap the one before it is empty."""
        columns: list[tuple[float, str]] = []
        free = 0.0
        for value, label in self.x_axis.labels:
            x, half = self.x(value), _CHARACTER * (len(label) + 1) / 2
            fits = x - half >= free
            columns.append((x, label if fits else ""))
            free = x + half if fits else free
        return columns

    @cached_property
    def rows(self) -> list[tuple[float, str]]:
        """Positions and labels of the horizontal grid lines."""
        return [(self.y(value), label) for value, label in self.y_axis.labels]

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        """The SVG path through points given as values; empty without points."""
        return join_path((self.x(x), self.y(y)) for x, y in points)


def join_path(places: Iterable[tuple[float, float]]) -> str:
    """The SVG path through positions; empty without any."""
    steps = [f"{x:g} {y:g}" for x, y in places]
    return "M" + "L".join(steps) if steps else ""


@dataclass(frozen=True, slots=True)
class DataPoint:
    """A point of a curve. With `low` and `high` it is marked, with a whisker; `title` is what a tooltip says."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one curve, the words for it in the legend, and its colour by number; without one, by its place."""

    label: str
    points: Sequence[DataPoint]
    style: int | None = None


@dataclass(frozen=True, slots=True)
class LineChart:
    """Curves in one plot area; `label` describes the chart to people who do not see it.

    `diagonal` draws a dashed line from corner to corner, with this text in the legend.
    """

    label: str
    area: PlotArea
    series: Sequence[Series]
    diagonal: str | None = None

    def path(self, series: Series) -> str:
        """The SVG path of one curve."""
        return self.area.path((point.x, point.y) for point in series.points)


RATES = (0.001, 0.01, 0.1, 1.0)
"""The labels of both axes of a ROC chart. A rate below the first is drawn at the edge."""


def build_roc_chart(curves: Sequence[Roc]) -> LineChart:
    """True against false positive rates, both logarithmic: the region of few false positives matters most."""
    labels = tuple((rate, f"{100 * rate:g}%") for rate in RATES)
    fpr = PlotAxis("False positive rate (others called members)", RATES[0], RATES[-1], labels, logarithmic=True)
    tpr = PlotAxis("True positive rate", RATES[0], RATES[-1], labels, logarithmic=True)
    label = f"True against false positive rate: {'; '.join(curve.label for curve in curves)}"
    series = [Series(curve.label, [DataPoint(point.fpr, point.tpr) for point in curve.points]) for curve in curves]
    return LineChart(label, PlotArea(fpr, tpr), series, diagonal="guessing")


def tpr_at_fpr(curve: Roc, rate: float) -> float:
    """The highest true positive rate of a threshold whose false positive rate is at most `rate`."""
    return max(point.tpr for point in curve.points if point.fpr <= rate)
