"""Metric differential privacy of unit vectors by a draw around each: the von Mises-Fisher mechanism."""

from typing import ClassVar

import numpy as np
from scipy.special import betaincinv

from vestige.defenses.checks import check_above
from vestige.defenses.laws import exponentials, normals, uniforms
from vestige.defenses.lengths import unit
from vestige.defenses.mechanism import Mechanism
from vestige.defenses.streams import Streams
from vestige.errors import UnusableRows
from vestige.types import Floats, Singles, Vectors


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

    def _moved(self, vectors: Vectors, start: int) -> Vectors:
        if vectors.shape[1] < 2:
            raise UnusableRows("vectors of one column have no direction to draw around; give vectors of two or more")
        zeros = np.flatnonzero(~vectors.any(axis=1))
        if len(zeros):
            raise UnusableRows(
                f"the vector in row {start + zeros[0]} is nothing but zeros and has no direction to draw around; "
                "leave such rows out"
            )
        return super()._moved(vectors, start)

    def _noisy(self, vectors: Vectors, streams: Streams) -> Singles:
        columns = vectors.shape[1]
        centres, directions = unit(vectors), normals(streams, columns)
        directions -= np.einsum("ij,ij->i", directions, centres)[:, None] * centres
        cosines = drawn_cosines(self.epsilon, columns, streams)[:, None]
        found: Singles = cosines.astype(np.float32) * centres
        found += np.sqrt(1 - cosines**2).astype(np.float32) * unit(directions)
        return found


def drawn_cosines(concentration: float, dimension: int, streams: Streams) -> Floats:
    """A cosine with the centre for each stream: an envelope of a beta law, tried until it fits."""
    free = dimension - 1
    slope = free / (2 * concentration + np.hypot(2 * concentration, free))
    peak = (1 - slope) / (1 + slope)
    bound = concentration * peak + free * np.log(1 - peak**2)
    found, left = np.empty(len(streams)), np.arange(len(streams))
    while len(left):
        share = betaincinv(free / 2, free / 2, uniforms(streams))
        cosines = (1 - (1 + slope) * share) / (1 - (1 - slope) * share)
        fits = concentration * cosines + free * np.log(1 - peak * cosines) - bound >= -exponentials(streams, 1)[:, 0]
        found[left[fits]] = cosines[fits]
        left, streams = left[~fits], streams.take(~fits)
    return found
