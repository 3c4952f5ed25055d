"""Keywords by linear heads: logistic regression of all keywords at once."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from vestige.attacks.keywords.examples import Examples
from vestige.types import Floats, Singles, Vectors

PENALTY = 0.03
STEPS = 60


@dataclass(frozen=True)
class LinearHeads:
    """`probabilities(x) = expit((x - mean) / scale @ weights + bias)`, one linear head per keyword."""

    mean: Vectors
    scale: float
    weights: Floats
    bias: Floats

    def probabilities(self, vectors: Vectors) -> Floats:
        """One row per vector, one column per keyword."""
        found: Floats = expit((vectors - self.mean).astype(np.float64) / self.scale @ self.weights + self.bias)
        return found


def fit_heads(examples: Examples) -> LinearHeads:
    """Logistic regression of all keywords at once, by L-BFGS on one matrix of weights.

    Texts with a keyword have the same total weight as texts without it; the weights are penalised.
    """
    from scipy.optimize import minimize

    vectors, labels = examples.vectors, examples.labels
    mean = vectors.mean(axis=0)
    scale = float((vectors - mean).std()) or 1.0
    inputs = (vectors - mean) / np.float32(scale)
    signs = np.where(labels, np.float32(1), np.float32(-1))
    balance = balanced_weights(examples)
    rows, columns = inputs.shape[1], labels.shape[1]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, bias = np.split(flat.reshape(rows + 1, columns).astype(np.float32), [rows])
        margins = signs * (inputs @ weights + bias)
        slope = -balance * signs * expit(-margins)
        value = (balance * np.logaddexp(0, -margins)).sum(dtype=np.float64) + PENALTY * np.square(weights).sum()
        gradient = np.concatenate([inputs.T @ slope + 2 * PENALTY * weights, slope.sum(axis=0, keepdims=True)])
        return float(value), gradient.ravel().astype(np.float64)

    start = np.zeros((rows + 1) * columns)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "maxcor": 10})
    weights, bias = np.split(found.x.reshape(rows + 1, columns), [rows])
    return LinearHeads(mean, scale, weights, bias[0])


def balanced_weights(examples: Examples) -> Singles:
    """Each column sums to one: one half for texts with the keyword, the other half for those without."""
    without, holding = examples.counted & ~examples.labels, examples.counted & examples.labels
    return np.asarray(0.5 * (without / without.sum(axis=0) + holding / holding.sum(axis=0)), dtype=np.float32)
