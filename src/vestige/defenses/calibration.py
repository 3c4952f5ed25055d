"""The least Gaussian noise that gives (epsilon, delta)-differential privacy (Balle and Wang, ICML 2018)."""

import numpy as np
from scipy.special import log_ndtr

_HALVINGS = 200


def spent_delta(epsilon: float, sigma: float) -> float:
    """The delta of noise `sigma` at this epsilon where the L2 sensitivity is 1 (Theorem 8).

    Φ(1 / 2σ - εσ) - e^ε Φ(-1 / 2σ - εσ), through logarithms, so that a large epsilon does not overflow.
    """
    near = log_ndtr(1 / (2 * sigma) - epsilon * sigma)
    far = epsilon + log_ndtr(-1 / (2 * sigma) - epsilon * sigma)
    return float(np.exp(near) * -np.expm1(far - near))


def gaussian_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """The standard deviation, by bisection on its logarithm."""
    low, high = -40.0, 40.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if spent_delta(epsilon, np.exp(middle)) > delta:
            low = middle
        else:
            high = middle
    return float(np.exp(high)) * sensitivity
