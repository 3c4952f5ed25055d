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

    def _noisy(self, vector: Floats, stream: np.random.Generator) -> Floats:
        if len(vector) < 2 or not vector.any():
            raise InputError(
                "a vector of one column, or of nothing but zeros, has no direction to draw around; leave such rows out"
            )
        centre, drawn = unit(vector), stream.standard_normal(len(vector))
        cosine = drawn_cosine(self.epsilon, len(vector), stream)
        aside = unit(drawn - (drawn @ centre) * centre)
        found: Floats = cosine * centre + np.sqrt(1 - cosine**2) * aside
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
