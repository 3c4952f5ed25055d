"""Metric differential privacy of unit vectors by a draw around each: the von Mises-Fisher mechanism."""

from typing import ClassVar

import numpy as np

from vestige.defenses.checks import check_above
from vestige.defenses.mechanism import Mechanism
from vestige.defenses.metric_laplace import unit
from vestige.errors import InputError
from vestige.types import Floats


class VonMisesFisher(Mechanism):
    """A unit vector drawn with density in proportion to exp(`epsilon` · cosine with the given one).

    Guarantee: `epsilon` · d-privacy for the Euclidean distance of unit vectors, as `MetricLaplace` has it.
    Shapes: (n, d) to (n, d), of unit length; a vector of zeros has no direction and is refused.
    Paper: Weggenmann and Kerschbaum, CCS 2021. The cosine is drawn by the rejection of Wood 1994.
    """

    strength: ClassVar[str | None] = "epsilon"

    def __init__(self, *, epsilon: float = 500.0) -> None:
        self.epsilon = epsilon

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_above("epsilon", self.epsilon, 0)

    def _draw(self, stream: np.random.Generator, columns: int) -> Floats:
        if columns < 2:
            raise InputError("vectors of one column have no direction to draw around; give vectors of two or more")
        directions = stream.standard_normal(columns)
        return np.append(drawn_cosine(self.epsilon, columns, stream), directions)

    def _noisy(self, vectors: Floats, drawn: Floats) -> Floats:
        if not vectors.any(axis=1).all():
            raise InputError("a vector of nothing but zeros has no direction to draw around; leave such rows out")
        centres, cosines, directions = unit(vectors), drawn[:, :1], drawn[:, 1:]
        aside = unit(directions - (directions * centres).sum(axis=1, keepdims=True) * centres)
        found: Floats = cosines * centres + np.sqrt(1 - cosines**2) * aside
        return found


def drawn_cosine(concentration: float, dimension: int, stream: np.random.Generator) -> float:
    """The cosine with the centre: an envelope of a beta law, tried until it fits."""
    free = dimension - 1
    slope = free / (2 * concentration + np.hypot(2 * concentration, free))
    peak = (1 - slope) / (1 + slope)
    bound = concentration * peak + free * np.log(1 - peak**2)
    while True:
        share = stream.beta(free / 2, free / 2)
        cosine = (1 - (1 + slope) * share) / (1 - (1 - slope) * share)
        if concentration * cosine + free * np.log(1 - peak * cosine) - bound >= np.log(stream.random()):
            return float(cosine)
