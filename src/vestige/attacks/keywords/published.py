"""The two classifiers that Pan et al. learn a keyword with: a linear SVM, and a network with 80 sigmoid units."""

from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.special import expit

from vestige.attacks.keywords.examples import Examples
from vestige.types import Floats, Progress, Vectors, silent

if TYPE_CHECKING:
    from vestige.attacks.keywords.networks import Networks

UNITS, EPOCHS = 80, 50


class Learned(Protocol):
    """Whatever tells how likely each text holds each keyword."""

    def probabilities(self, vectors: Vectors) -> Floats:
        """A row a vector, a column a keyword."""


class Machines:
    """A linear support vector machine a keyword, both classes weighing the same."""

    def __init__(self, examples: Examples, rng: np.random.Generator, progress: Progress = silent) -> None:
        from sklearn.svm import LinearSVC

        advance = progress("fitting support vector machines", len(examples.sides))
        self._weights, self._bias = [], []
        for sides in examples.sides:
            machine = LinearSVC(class_weight="balanced", random_state=int(rng.integers(2**31)))
            held = np.repeat([False, True], [len(side) for side in sides])
            machine.fit(examples.vectors[np.concatenate(sides)], held)
            self._weights.append(machine.coef_[0])
            self._bias.append(machine.intercept_[0])
            advance(1)

    def probabilities(self, vectors: Vectors) -> Floats:
        """The logistic function of the margins: a half at the boundary, not calibrated elsewhere."""
        found: Floats = expit(vectors.astype(np.float64) @ np.transpose(self._weights) + self._bias)
        return found


class Perceptrons:
    """A network a keyword: 80 sigmoid units, Adam 1e-3, batches of 64; 50 epochs, which the paper does not state."""

    def __init__(self, examples: Examples, rng: np.random.Generator, progress: Progress = silent) -> None:
        from vestige.attacks.keywords.networks import Training, begun, train

        self._networks: Networks = begun(len(examples.sides), examples.vectors.shape[1], UNITS, rng)
        train(self._networks, examples, Training(EPOCHS), rng=rng, progress=progress)

    def probabilities(self, vectors: Vectors) -> Floats:
        """What the softmax gives."""
        import torch

        return self._networks.probabilities(torch.from_numpy(vectors))
