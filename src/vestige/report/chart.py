"""Where things lie on a chart, in percent of its width, so that it may be drawn at any width."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from vestige.case.findings import Chart, Measure
from vestige.types import Score

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_BLOCKS = 10


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the axis; the outer labels are set inwards, lest they stick out."""

    at: str
    label: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear axis from `low` to `high`, marked every `step`."""

    low: float
    high: float
    step: float

    def at(self, value: float) -> str:
        """The place of a value."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}%"

    def reach(self, one: float, other: float) -> str:
        """The distance between two values."""
        return f"{100 * abs(one - other) / (self.high - self.low):.2f}%"

    @property
    def ticks(self) -> list[Tick]:
        """The marks, from the left."""
        count = round((self.high - self.low) / self.step)
        anchors = ["start", *["middle"] * (count - 1), "end"]
        values = [self.low + place * self.step for place in range(count + 1)]
        return [
            Tick(self.at(value), f"{round(value, 6):g}", anchor) for value, anchor in zip(values, anchors, strict=True)
        ]


def scale_of(scores: Iterable[Score]) -> Scale:
    """From 0 to 1, wider where a score, its interval or its baseline lies outside; the ends fall on round figures."""
    places = [0.0, 1.0]
    for score in scores:
        places += [score.value, score.low, score.high, *([] if score.baseline is None else [score.baseline])]
    low, high = min(places), max(places)
    step = _round_step((high - low) / 4)
    return Scale(floor(low / step) * step, ceil(high / step) * step, step)


def scale_of_measures(measures: Iterable[Measure]) -> Scale:
    """One axis for every measure of a finding."""
    return scale_of(score for measure in measures for score in (measure.attack, measure.prior, measure.control))


def scale_of_bars(chart: Chart) -> Scale:
    """One axis for every bar of a chart."""
    return scale_of(bar.score for bar in chart.bars)


def blocks(share: float) -> list[float]:
    """How full each of ten blocks is, so that together they show the share."""
    return [min(max(share * _BLOCKS - place, 0.0), 1.0) for place in range(_BLOCKS)]


def _round_step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return power * next(step for step in _STEPS if step * power >= least * (1 - 1e-9))
