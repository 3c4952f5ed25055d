"""The Gaussian mechanism: differential privacy of a row, whatever its text."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.calibration import gaussian_sigma
from vestige.defenses.checks import check_above
from vestige.defenses.laws import normals
from vestige.defenses.lengths import lengths_of
from vestige.defenses.mechanism import Mechanism
from vestige.defenses.streams import Streams
from vestige.errors import InputError
from vestige.types import Floats, Singles, Vectors


class Gaussian(Mechanism):
    """Vectors clipped to length `norm`, then Gaussian noise, just as much as `epsilon` and `delta` ask for.

    Guarantee: (`epsilon`, `delta`)-differential privacy of one row, whatever the encoder: any text for any other, which
    moves a clipped vector by at most 2 · `norm`. A text that stands in k rows, whole or in parts, has k times both.
    This much noise drowns most uses unless `epsilon` is in the tens.
    Shapes: (n, d) to (n, d).
    Paper: Balle and Wang, ICML 2018 (the analytic mechanism); the classic σ = Δ √(2 ln(1.25 / δ)) / ε asks for more
    noise, and for an epsilon below 1.
    """

    strength: ClassVar[str | None] = "epsilon"
    learned: ClassVar[tuple[str, ...]] = ("seed_", "scale_")
    scale_: Floats

    def __init__(self, *, epsilon: float = 1.0, delta: float = 1e-5, norm: float = 1.0) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.norm = norm

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_above("epsilon", self.epsilon, 0)
        check_above("norm", self.norm, 0)
        check_above("delta", self.delta, 0)
        if self.delta >= 1:
            raise InputError(f"The 'delta' parameter must be below 1. Got {self.delta} instead.")

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        super()._learn(vectors, labels, rng)
        self.scale_ = np.array(gaussian_sigma(self.epsilon, self.delta, 2 * self.norm))

    def _noisy(self, vectors: Vectors, streams: Streams) -> Singles:
        found = normals(streams, vectors.shape[1])
        found *= self.scale_.astype(np.float32)
        found += vectors * np.minimum(1.0, self.norm / lengths_of(vectors)).astype(np.float32)
        return found
