"""The trend: the leakage of audits of the same data and encoder with the same settings, over time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vestige.report.charts import DataPoint, LineChart, PlotArea, PlotAxis, Series, build_scale
from vestige.report.formatting import format_score
from vestige.view.runs import RunSummary
from vestige.view.site import Site

Settings = tuple[tuple[str, str], ...]

COLOURS = 10
"""How many curves differ in colour and dashes."""

MOST_DATES = 5
"""Dates that fit below a trend."""


@dataclass(frozen=True, slots=True)
class TrendGroup:
    """Audits that differ in time only, oldest first, and their leakages as a chart; None for a single audit.

    `title` names the data and the encoder, and the settings by which the group differs from others on them.
    """

    title: str
    runs: list[RunSummary]
    chart: LineChart | None


def render_trend(site: Site, runs: Sequence[RunSummary]) -> str:
    """The leakage of audits of the same data, over time."""
    return site.render("trend.html.j2", active="trend", title="Trend", groups=group_trends(runs))


def group_trends(runs: Sequence[RunSummary]) -> list[TrendGroup]:
    """Audits with the same data, encoder and settings, the group with the newest one first.

    With other settings, such as more pairs, the attacker is another one, and a change would say nothing about the data.
    """
    grouped: dict[tuple[str, Settings], list[RunSummary]] = {}
    for run in runs:
        if run.kind == "audit" and not run.error:
            grouped.setdefault((run.audited, run.settings), []).append(run)
    styles = _assign_styles(runs)
    return [
        TrendGroup(_write_title(audited, settings, grouped), own[::-1], _draw_trend(own[::-1], styles))
        for (audited, settings), own in grouped.items()
    ]


def _write_title(audited: str, settings: Settings, groups: Iterable[tuple[str, Settings]]) -> str:
    """The data and the encoder, and the settings that differ between groups on the same."""
    others = [set(each) for name, each in groups if name == audited]
    differing = [(name, value) for name, value in settings if any((name, value) not in each for each in others)]
    return ", ".join([audited, *(f"{name} {value}" for name, value in differing)])


def _assign_styles(runs: Sequence[RunSummary]) -> dict[str, int]:
    """A colour for every probe, the same in all charts of the page."""
    probes = dict.fromkeys(line.probe for run in runs for line in run.probes)
    return {probe: place % COLOURS + 1 for place, probe in enumerate(probes)}


def _draw_trend(runs: list[RunSummary], styles: dict[str, int]) -> LineChart | None:
    if len(runs) < 2:
        return None
    probes = list(dict.fromkeys(line.probe for run in runs for line in run.probes))
    series = [Series(probe, list(_list_points(runs, probe)), styles[probe]) for probe in probes]
    labels = tuple((float(place), _write_date(runs, place)) for place in _choose_dated(len(runs)))
    scale = build_scale(line.leakage for run in runs for line in run.probes)
    area = PlotArea(
        PlotAxis("runs, the oldest first", 0, len(runs) - 1, labels),
        PlotAxis.from_scale("leakage", scale),
        right=40,
        bottom=52,
    )
    return LineChart(f"Leakage of {', '.join(probes)} over {len(runs)} runs", area, series)


def _choose_dated(runs: int) -> list[int]:
    """The runs whose date is written below the chart: the first, the last, and a few between them."""
    steps = min(runs, MOST_DATES) - 1
    return [round(step * (runs - 1) / steps) for step in range(steps + 1)]


def _write_date(runs: list[RunSummary], place: int) -> str:
    """The day of a run, or the time if all are of one day."""
    day, _, time = runs[place].date.partition(" ")
    return time if runs[0].date[:10] == runs[-1].date[:10] else day


def _list_points(runs: list[RunSummary], probe: str) -> Sequence[DataPoint]:
    points = []
    for place, run in enumerate(runs):
        line = next((each for each in run.probes if each.probe == probe), None)
        if line is not None:
            score = line.leakage
            title = f"{run.name}, {run.date}: {probe} {format_score(score)}"
            points.append(DataPoint(place, score.value, score.low, score.high, title))
    return points
