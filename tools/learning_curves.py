"""Draw the learning curves of a record as SVG: a panel for each row whose training has a curve."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice
from math import log10
from pathlib import Path

from vestige.papers.results import ResultRow, ResultTable, read_results
from vestige.types import TrainingLog

WIDE, HIGH, LEFT, TOP, GAP = 210, 110, 58, 46, 30
COLUMNS = 3
FEWEST_POINTS = 5
MOST_CURVES = 12
CONVERGED, CUT_OFF = "#1f4e79", "#b5542b"


def draw_curves(path: Path) -> str | None:
    """The curves of the paper's recipes of a record; None if no training has one."""
    table = read_results(path)
    panels = [(one, logs) for one in table.rows if (logs := list_logs(one))]
    return _draw(table, panels) if panels else None


def list_logs(one: ResultRow) -> list[TrainingLog]:
    """The trainings of the first line, the paper's recipe, that have a curve."""
    logs = [log for line in one.row.lines[:1] for log in line.logs if len(log.curve) >= FEWEST_POINTS]
    return list(islice(logs, MOST_CURVES))


def _draw(table: ResultTable, panels: Sequence[tuple[ResultRow, Sequence[TrainingLog]]]) -> str:
    columns = min(COLUMNS, len(panels))
    width = columns * (LEFT + WIDE) + GAP
    height = -(-len(panels) // columns) * (TOP + HIGH + GAP) + 10
    parts = []
    for place, (one, logs) in enumerate(panels):
        left, top = LEFT + place % columns * (LEFT + WIDE), TOP + place // columns * (TOP + HIGH + GAP)
        parts.append(f'<g transform="translate({left} {top})">\n{"".join(_draw_panel(one, logs))}</g>\n')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        f'font-family="sans-serif" font-size="11" fill="#333">\n<title>Learning curves, {escape(table.title)}</title>\n'
        f'<rect width="{width}" height="{height}" rx="6" fill="#fff"/>\n{"".join(parts)}</svg>\n'
    )


def _draw_panel(one: ResultRow, logs: Sequence[TrainingLog]) -> Iterator[str]:
    """One panel; the vertical axis is logarithmic."""
    values = [value for log in logs for _, value in log.curve if value > 0]
    least, most, last = min(values), max(values), max(log.curve[-1][0] for log in logs)
    span = log10(most / least) or 1.0
    yield f'<text x="0" y="-22" font-weight="bold">{escape(one.row.section)}</text>\n'
    yield f'<text x="0" y="-8">{escape(one.row.model)}</text>\n'
    yield f'<path d="M0 0V{HIGH}H{WIDE}" fill="none" stroke="#999"/>\n'
    for value, y in ((most, 4), (least, HIGH)):
        yield f'<text x="-6" y="{y}" text-anchor="end">{value:,.4g}</text>\n'
    yield f'<text x="{WIDE}" y="{HIGH + 15}" text-anchor="end">{last:,}</text>\n'
    for log in logs:
        points = [
            f"{step / last * WIDE:.1f} {log10(most / value) / span * HIGH:.1f}"
            for step, value in log.curve
            if value > 0
        ]
        colour = CONVERGED if log.converged else CUT_OFF
        yield f'<path d="M{"L".join(points)}" fill="none" stroke="{colour}" stroke-width="1.5"/>\n'
