"""From rows of figures to curves."""

from collections.abc import Iterable
from dataclasses import dataclass

from vestige.papers.record import Curve, Point, Row


@dataclass(frozen=True)
class Measured:
    """A row, where on the x-axis it was measured, and the heading that tells its curves from others."""

    at: float
    heading: str
    row: Row


def curves_of(measured: Iterable[Measured], column: int) -> tuple[Curve, ...]:
    """One curve for each way of attacking, of one column."""
    points: dict[str, list[Point]] = {}
    for one in measured:
        for line in one.row.lines:
            score = line.scores[column]
            if score is not None:
                label = f"{one.heading}, {line.by}" if one.heading else line.by
                points.setdefault(label, []).append(Point(one.at, score))
    return tuple(Curve(label, tuple(found)) for label, found in points.items())
