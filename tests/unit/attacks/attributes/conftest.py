"""Authors of a toy world: each has a mean of its own, some vary more in one direction than in another."""

from dataclasses import dataclass

import numpy as np
import pytest

AUTHORS = tuple(f"author {place:02d}" for place in range(12))


@dataclass(frozen=True)
class World:
    vectors: np.ndarray
    labels: list
    targets: np.ndarray
    truth: list

    def accuracy(self, guesses):
        best = np.asarray(guesses.labels)[guesses.probabilities.argmax(axis=1)]
        return float((best == np.asarray(self.truth)).mean())


@pytest.fixture(scope="session")
def world():
    rng = np.random.default_rng(3)
    spread = np.linspace(0.2, 3, 20)
    means = rng.standard_normal((len(AUTHORS), 20))

    def draw(each):
        rows = np.repeat(np.arange(len(AUTHORS)), each)
        vectors = means[rows] + spread * rng.standard_normal((len(rows), 20))
        return vectors.astype(np.float32), [AUTHORS[row] for row in rows]

    return World(*draw(15), *draw(20))
