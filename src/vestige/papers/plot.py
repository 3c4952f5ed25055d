"""Where curves lie on a chart of fixed proportions."""

from dataclasses import dataclass

from vestige.papers.record import Curve, Plot, Point

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 300, 44, 40, 10, 12
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_MOST_MARKS = 8


@dataclass(frozen=True, slots=True)
class Mark:
    """A point as it is drawn, with the ends of its interval."""

    x: float
    y: float
    low: float
    high: float
    said: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The x-axis of a plot: from its least to its largest place, in a line."""

    least: float
    largest: float
    places: tuple[float, ...]

    def x(self, place: float) -> float:
        """How far to the right."""
        span = self.largest - self.least
        share = (place - self.least) / span if span else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def marks(self, curve: Curve) -> list[Mark]:
        """The points of a curve, from the left."""
        return [self._mark(point) for point in sorted(curve.points, key=lambda point: point.at)]

    def path(self, curve: Curve) -> str:
        """The line through the points."""
        return "M" + "L".join(f"{mark.x:g} {mark.y:g}" for mark in self.marks(curve))

    def _mark(self, point: Point) -> Mark:
        score = point.score
        said = f"{point.at:g}: {score.value:.3f} ({score.low:.3f} to {score.high:.3f}, n {score.n})"
        return Mark(self.x(point.at), y_of(score.value), y_of(score.low), y_of(score.high), said)


def axis_of(plot: Plot) -> Axis:
    """The axis that holds every point; a label at each place, or at a few where there are many."""
    places = sorted({point.at for curve in plot.curves for point in curve.points})
    every = max(1, -(-len(places) // _MOST_MARKS))
    return Axis(min(places, default=0.0), max(places, default=1.0), tuple(places[::every]))


def y_of(share: float) -> float:
    """How far down; shares go from 0 to 1, and what is less than nothing is drawn as nothing."""
    return round(TOP + (1 - max(share, 0)) * (HEIGHT - TOP - BOTTOM), 1)
