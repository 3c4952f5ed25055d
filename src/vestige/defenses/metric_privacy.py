"""Metric differential privacy of unit vectors: near texts are hard to distinguish, distant ones less so."""

import numpy as np
from scipy.special import betaincinv, gammaincinv

from vestige.checks import check_above
from vestige.defenses.defense import DefenseInfo
from vestige.defenses.mechanism import MOST_USEFUL, SEED, Mechanism, normalise_rows, row_lengths
from vestige.defenses.streams import Streams, draw_exponentials, draw_normals, draw_uniforms
from vestige.errors import UnusableRows
from vestige.types import Floats, Singles, Vectors

MOST_EPSILON = 1e9
"""Beyond this the noise is smaller than the rounding of the numbers, and drawing a cosine would never end."""


def describe_metric_privacy(epsilon: float) -> str:
    """The guarantee with numbers: unit vectors are at most 2 apart, and this epsilon hides only near ones."""
    stated = f"{epsilon:g} · d-privacy of one row for the Euclidean distance of unit vectors"
    if 2 * epsilon <= MOST_USEFUL:
        return stated
    reach = (
        f"only texts within a distance of {MOST_USEFUL / epsilon:.2g}, where 2 is the largest, are hard to tell apart"
    )
    return f"none in practice between different texts: {stated}, so that {reach}"


class MetricLaplace(Mechanism):
    """Noise with a density proportional to exp(-`epsilon` · |noise|), added to the vector scaled to unit length.

    Guarantee: `epsilon` · d-privacy (Chatzikokolakis et al. 2013): for texts whose unit vectors are a Euclidean
    distance r apart, no outcome is more than exp(`epsilon` · r) times likelier for one than for the other. Since r is
    at most 2, it is also differential privacy of 2 · `epsilon`. In d dimensions the noise has a length of about
    d / `epsilon`, so that values below d / 10 drown the vector.
    Shapes: (n, d) to (n, d), scaled to unit length again, which costs no privacy.
    Paper: Feyisetan et al., WSDM 2020, who add this noise to word vectors; at the same `epsilon` the result stays
    nearer to the vector than with the von Mises-Fisher mechanism.
    """

    info = DefenseInfo(
        "metric",
        "metric:EPSILON, privacy in proportion to the distance of unit vectors",
        paper="Feyisetan et al. 2020",
        strength="epsilon",
        strengths=lambda dimension: (4 * dimension, 2 * dimension, dimension),
        queries="without noise",
        secret=SEED,
        explanation="Noise of random direction and length makes similar texts hard to tell apart.",
    )

    def __init__(self, *, epsilon: float = 500.0) -> None:
        self.epsilon = epsilon

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_above("epsilon", self.epsilon, 0, MOST_EPSILON)

    def guarantee(self) -> str:
        """Privacy in proportion to a distance, with its epsilon."""
        return describe_metric_privacy(self.epsilon)

    def _randomise(self, vectors: Vectors, streams: Streams) -> Singles:
        noise = draw_normals(streams, vectors.shape[1])
        lengths = gammaincinv(vectors.shape[1], draw_uniforms(streams))[:, None] / self.epsilon
        noise *= (lengths / row_lengths(noise)).astype(np.float32)
        return normalise_rows(normalise_rows(vectors) + noise)

    def _transform_without_noise(self, vectors: Vectors, start: int) -> Vectors:  # noqa: ARG002
        return normalise_rows(vectors)


class VonMisesFisher(Mechanism):
    """A unit vector drawn with a density proportional to exp(`epsilon` · its cosine with the original).

    Guarantee: `epsilon` · d-privacy for the Euclidean distance of unit vectors, as for `MetricLaplace`.
    Shapes: (n, d) to (n, d), of unit length; a vector of zeros has no direction and is refused.
    Paper: Weggenmann and Kerschbaum, CCS 2021. The cosine is drawn by the rejection method of Wood 1994.
    """

    info = DefenseInfo(
        "vmf",
        "vmf:EPSILON, the same privacy by a random draw around each vector",
        paper="Weggenmann and Kerschbaum 2021",
        strength="epsilon",
        strengths=lambda dimension: (16 * dimension, 4 * dimension, 2 * dimension),
        queries="without noise",
        secret=SEED,
        explanation="Replaces every vector by a random one that points nearly the same way.",
    )

    def __init__(self, *, epsilon: float = 500.0) -> None:
        self.epsilon = epsilon

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_above("epsilon", self.epsilon, 0, MOST_EPSILON)

    def guarantee(self) -> str:
        """Privacy in proportion to a distance, with its epsilon."""
        return describe_metric_privacy(self.epsilon)

    def _transform(self, vectors: Vectors, start: int) -> Vectors:
        _check_directions(vectors, start)
        return super()._transform(vectors, start)

    def _transform_without_noise(self, vectors: Vectors, start: int) -> Vectors:
        _check_directions(vectors, start)
        return normalise_rows(vectors)

    def _randomise(self, vectors: Vectors, streams: Streams) -> Singles:
        columns = vectors.shape[1]
        centres, directions = normalise_rows(vectors), draw_normals(streams, columns)
        directions -= np.einsum("ij,ij->i", directions, centres)[:, None] * centres
        cosines = draw_cosines(self.epsilon, columns, streams)[:, None]
        defended: Singles = cosines.astype(np.float32) * centres
        defended += np.sqrt(1 - cosines**2).astype(np.float32) * normalise_rows(directions)
        return defended


def _check_directions(vectors: Vectors, start: int) -> None:
    """Raise if a row has no direction; the first is row `start` of its table."""
    if vectors.shape[1] < 2:
        raise UnusableRows("vectors of one column have no direction to draw around; give vectors of two or more")
    zeros = np.flatnonzero(~vectors.any(axis=1))
    if len(zeros):
        raise UnusableRows(
            f"the vector in row {start + zeros[0]} is all zeros and has no direction to draw around; drop such rows"
        )


def draw_cosines(concentration: float, dimension: int, streams: Streams) -> Floats:
    """A cosine with the centre for each stream: proposals from a beta law, until one is accepted (Wood 1994)."""
    free = dimension - 1
    slope = free / (2 * concentration + np.hypot(2 * concentration, free))
    peak = (1 - slope) / (1 + slope)
    bound = concentration * peak + free * np.log(1 - peak**2)
    drawn, open_rows = np.empty(len(streams)), np.arange(len(streams))
    while len(open_rows):
        share = betaincinv(free / 2, free / 2, draw_uniforms(streams))
        cosines = (1 - (1 + slope) * share) / (1 - (1 - slope) * share)
        limit = -draw_exponentials(streams, 1)[:, 0]
        accepted = concentration * cosines + free * np.log(1 - peak * cosines) - bound >= limit
        drawn[open_rows[accepted]] = cosines[accepted]
        open_rows, streams = open_rows[~accepted], streams.take(~accepted)
    return drawn
