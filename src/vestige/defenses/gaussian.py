"""The Gaussian mechanism: differential privacy of a row, whatever its text."""

from typing import Any, ClassVar

import numpy as np
from scipy.special import log_ndtr

from vestige.checks import check_above
from vestige.defenses.defense import DefenseInfo
from vestige.defenses.mechanism import SEED, Mechanism, row_lengths, weigh_guarantee
from vestige.defenses.streams import Streams, draw_normals
from vestige.errors import InputError
from vestige.types import Floats, Singles, Vectors

_BISECTIONS = 200


class GaussianMechanism(Mechanism):
    """Vectors clipped to length `norm`, plus the least Gaussian noise that `epsilon` and `delta` require.

    Guarantee: (`epsilon`, `delta`)-differential privacy of one row, whatever the encoder: replacing a text by any other
    moves a clipped vector by at most 2 · `norm`. A text that is stored in k rows, whole or in parts, has k times both.
    This much noise destroys most of the utility unless `epsilon` is in the tens.
    Shapes: (n, d) to (n, d).
    Paper: Balle and Wang, ICML 2018, Section 3 (the analytic mechanism); the classic σ = Δ √(2 ln(1.25 / δ)) / ε
    requires more noise, and an epsilon below 1.
    """

    info = DefenseInfo(
        "gaussian",
        "gaussian:EPSILON,delta=1e-5,norm=1, differential privacy of a whole text",
        paper="Balle and Wang 2018, Section 3",
        strength="epsilon",
        strengths=lambda dimension: (26 * dimension, 8 * dimension, 2 * dimension),
        queries="without noise",
        secret=SEED,
        explanation="Normal noise on every number hides the whole text, as far as its epsilon promises.",
    )
    learned: ClassVar[tuple[str, ...]] = ("seed_", "scale_")
    scale_: Floats

    def __init__(self, *, epsilon: float = 1.0, delta: float = 1e-5, norm: float = 1.0) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.norm = norm

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_above("epsilon", self.epsilon, 0)
        check_above("norm", self.norm, 0)
        check_above("delta", self.delta, 0)
        if self.delta >= 1:
            raise InputError(f"The 'delta' parameter must be below 1. Got {self.delta} instead.")

    def guarantee(self) -> str:
        """Differential privacy, with its epsilon and delta."""
        return weigh_guarantee(
            self.epsilon, f"({self.epsilon:g}, {self.delta:g})-differential privacy of one row, whatever its text"
        )

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        super()._fit(vectors, labels, rng)
        self.scale_ = np.array(gaussian_sigma(self.epsilon, self.delta, 2 * self.norm))

    def _randomise(self, vectors: Vectors, streams: Streams) -> Singles:
        defended = draw_normals(streams, vectors.shape[1])
        defended *= self.scale_.astype(np.float32)
        defended += self._clip(vectors)
        return defended

    def _transform_without_noise(self, vectors: Vectors, start: int) -> Vectors:  # noqa: ARG002
        return self._clip(vectors)

    def _clip(self, vectors: Vectors) -> Singles:
        clipped: Singles = vectors * np.minimum(1.0, self.norm / row_lengths(vectors)).astype(np.float32)
        return clipped


def spent_delta(epsilon: float, sigma: float) -> float:
    """The delta of noise `sigma` at this epsilon for an L2 sensitivity of 1 (Balle and Wang 2018, Theorem 8).

    Φ(1 / 2σ - εσ) - e^ε Φ(-1 / 2σ - εσ), through logarithms, so that a large epsilon does not overflow.
    """
    near = log_ndtr(1 / (2 * sigma) - epsilon * sigma)
    far = epsilon + log_ndtr(-1 / (2 * sigma) - epsilon * sigma)
    return float(np.exp(near) * -np.expm1(far - near))


def gaussian_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """The smallest standard deviation for (epsilon, delta)-differential privacy, by bisection on its logarithm."""
    low, high = -40.0, 40.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if spent_delta(epsilon, np.exp(middle)) > delta:
            low = middle
        else:
            high = middle
    return float(np.exp(high)) * sensitivity
