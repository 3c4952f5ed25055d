"""The privacy-utility frontier: geometry of the chart of utility against leakage."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor

from vestige.defend.limits import Limit, parse_limit
from vestige.defend.record import DefendResult, DefenseTrial
from vestige.report.charts import PlotArea, PlotAxis, Scale, join_path
from vestige.types import Score

_CLOSE = 13.0
"""Number labels closer to each other than this would overlap."""


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """A defense on the chart: its number in the table, its position, and the ends of both intervals.

    `naive` is where an attacker who does not know the defense would see it. `labelled` is False if the number would
    overlap another.
    """

    number: int
    trial: DefenseTrial
    x: float
    y: float
    left: float
    right: float
    top: float
    bottom: float
    naive: float | None
    labelled: bool

    @property
    def title(self) -> str:
        """The text of the tooltip."""
        return f"{self.number}: {self.trial.defense}"


@dataclass(frozen=True, slots=True)
class FrontierChart:
    """Leakage to the right, utility upward: the best corner is the upper left.

    `line` is the SVG path of the frontier. `most_leakage` and `least_utility` are the owner's limits, if any.
    """

    area: PlotArea
    points: list[FrontierPoint]
    line: str
    most_leakage: float | None
    least_utility: float | None

    @property
    def label(self) -> str:
        """The chart in words, for people who do not see it."""
        axes = f"{self.area.y_axis.title} against {self.area.x_axis.title}"
        return f"{axes} for {len(self.points)} defenses; the table below has every figure"

    @property
    def allowed(self) -> tuple[float, float] | None:
        """The lower right corner of the region within the limits; None without limits."""
        if self.most_leakage is None and self.least_utility is None:
            return None
        leakage = self.area.x_axis.high if self.most_leakage is None else self.most_leakage
        utility = self.area.y_axis.low if self.least_utility is None else self.least_utility
        return self.area.x(leakage), self.area.y(utility)


@dataclass(frozen=True, slots=True)
class _Size:
    """The view box of a chart, and its margins."""

    width: int
    height: int
    left: int
    bottom: int


_WIDE = _Size(720, 440, 68, 48)
_NARROW = _Size(360, 360, 52, 48)
"""About as many units as a phone has pixels, so that letters, which are sized in units, stay readable there."""


def build_frontier_chart(result: DefendResult, *, narrow: bool = False) -> FrontierChart:
    """Every trial of a sweep, with the frontier as a line through the trials on it; `narrow` for the screen of a phone.

    Numbers that would overlap at that size are left out; the table has them.
    """
    probe, cost = result.probe, result.cost
    size = _NARROW if narrow else _WIDE
    leakage = _scale([trial.leakage[probe] for trial in result.trials])
    utility = _scale([trial.scores[cost] for trial in result.trials])
    area = PlotArea(
        PlotAxis.from_scale(f"leakage of {probe}", leakage),
        PlotAxis.from_scale(f"{cost} after the defense", utility),
        width=size.width,
        height=size.height,
        left=size.left,
        top=14,
        bottom=size.bottom,
    )
    points: list[FrontierPoint] = []
    for number, trial in enumerate(result.trials, 1):
        points.append(_point(area, number, trial, result, points))
    line = join_path(sorted((point.x, point.y) for point in points if point.trial.frontier))
    limits = [parse_limit(expression) for expression in result.limits]
    return FrontierChart(area, points, line, _limit(limits, probe), _limit(limits, cost))


def _point(
    area: PlotArea, number: int, trial: DefenseTrial, result: DefendResult, earlier: Sequence[FrontierPoint]
) -> FrontierPoint:
    leakage, utility = trial.leakage[result.probe], trial.scores[result.cost]
    naive = next(entry.naive for entry in trial.privacy if entry.probe == result.probe)
    x, y = area.x(leakage.value), area.y(utility.value)
    apart = all(abs(other.x - x) > 2 * _CLOSE or abs(other.y - y) > _CLOSE for other in earlier if other.labelled)
    return FrontierPoint(
        number,
        trial,
        x,
        y,
        left=area.x(leakage.low),
        right=area.x(leakage.high),
        top=area.y(utility.high),
        bottom=area.y(utility.low),
        naive=None if naive is None else area.x(naive.value),
        labelled=trial.status != "dropped" and apart,
    )


def _scale(scores: Iterable[Score]) -> Scale:
    """From 0, or below, to the first tick above all intervals."""
    ends = [end for score in scores for end in (score.low, score.high)]
    low, high = min(0, *ends), max(0.1, *ends)
    step = 0.1 if high - low < 0.75 else 0.2
    return Scale(floor(round(low / step, 6)) * step, ceil(round(high / step, 6)) * step, step)


def _limit(limits: Sequence[Limit], name: str) -> float | None:
    return next((limit.value for limit in limits if limit.concerns(name)), None)
