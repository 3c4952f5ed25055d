"""Metric differential privacy of unit vectors: near texts are hard to tell apart, far ones less so."""

from typing import ClassVar

import numpy as np
from scipy.special import gammaincinv

from vestige.defenses.checks import check_above
from vestige.defenses.laws import normals, uniforms
from vestige.defenses.lengths import lengths_of, unit
from vestige.defenses.mechanism import Mechanism
from vestige.defenses.streams import Streams
from vestige.types import Singles, Vectors


class MetricLaplace(Mechanism):
    """Noise of a density that falls with its length, exp(-`epsilon` · |noise|), on the vector made unit length.

    Guarantee: `epsilon` · d-privacy (Chatzikokolakis et al. 2013): for texts whose unit vectors lie a Euclidean
    distance r apart, no outcome is more than exp(`epsilon` · r) times likelier for one than for the other. Since r is
    at most 2 it is also plain differential privacy of 2 · `epsilon`. The noise is about d / `epsilon` long in d
    dimensions, so that values below d / 10 drown the vector.
    Shapes: (n, d) to (n, d), of unit length again, which costs no privacy.
    Paper: Feyisetan et al., WSDM 2020, whose noise of words this is; at the same `epsilon` it stays nearer to the
    vector than the von Mises-Fisher mechanism does.
    """

    strength: ClassVar[str | None] = "epsilon"

    def __init__(self, *, epsilon: float = 500.0) -> None:
        self.epsilon = epsilon

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_above("epsilon", self.epsilon, 0)

    def _noisy(self, vectors: Vectors, streams: Streams) -> Singles:
        noise = normals(streams, vectors.shape[1])
        lengths = gammaincinv(vectors.shape[1], uniforms(streams))[:, None] / self.epsilon
        noise *= (lengths / lengths_of(noise)).astype(np.float32)
        return unit(unit(vectors) + noise)
