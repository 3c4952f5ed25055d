"""From rows of figures to curves."""

from collections.abc import Iterable, Sequence

from vestige.papers.record import Curve, Line, Point


def curves_of(places: Iterable[tuple[float, str, Sequence[Line]]], column: int) -> tuple[Curve, ...]:
    """One curve for each way of attacking: where it was measured, under which heading, and the lines it has there."""
    points: dict[str, list[Point]] = {}
    for at, heading, lines in places:
        for line in lines:
            score = line.scores[column]
            if score is not None:
                points.setdefault(f"{heading}, {line.by}" if heading else line.by, []).append(Point(at, score))
    return tuple(Curve(label, tuple(found)) for label, found in points.items())
