"""Our own reader of fields: one hidden layer that all fields share, taught on one pool of vectors."""

from typing import Any

import numpy as np

from vestige.attacks.linear_words import whitening_of
from vestige.attacks.patterns.batches import batches
from vestige.attacks.patterns.lesson import Lesson
from vestige.types import Progress, Singles, Vectors

ITERATIONS = 1600
_UNITS, _DROPOUT, _BATCH, _RATE = 512, 0.5, 128, 3e-3


class SharedReader:
    """Whitened vectors, rectified units, a softmax a field; the losses are added, the step size falls to nothing.

    Half of the units are left out at each step: with 20,000 texts and a hundred years, two hundred speak for each.
    """

    def __init__(self, lesson: Lesson, iterations: int, rng: np.random.Generator, progress: Progress) -> None:
        import torch

        self.sizes = lesson.sizes
        self.mean = lesson.vectors.mean(axis=0)
        self.whitening = whitening_of(lesson.vectors - self.mean)
        self.network = torch.nn.Sequential(
            torch.nn.Linear(self.whitening.shape[1], _UNITS),
            torch.nn.ReLU(),
            torch.nn.Dropout(_DROPOUT),
            torch.nn.Linear(_UNITS, sum(lesson.sizes)),
        )
        self._train(lesson, iterations, rng, progress)

    def logits(self, vectors: Vectors) -> list[Singles]:
        """Per field, a row a text and a column a value."""
        import torch

        with torch.no_grad():
            parts = self.network(self._seen(vectors)).split(self.sizes, dim=1)
        return [part.numpy() for part in parts]

    def _seen(self, vectors: Vectors) -> Any:
        import torch

        return torch.from_numpy(np.asarray((vectors - self.mean) @ self.whitening, np.float32))

    def _train(self, lesson: Lesson, iterations: int, rng: np.random.Generator, progress: Progress) -> None:
        import torch
        from torch.nn.functional import cross_entropy

        seen, labels = self._seen(lesson.vectors), torch.from_numpy(lesson.labels)
        optimiser = torch.optim.Adam(self.network.parameters(), lr=_RATE, fused=True)
        schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, total_iters=iterations)
        advance = progress("fitting the attack", iterations)
        for rows in batches(len(seen), _BATCH, iterations, rng):
            parts = self.network(seen[rows]).split(self.sizes, dim=1)
            losses = [cross_entropy(part, label) for part, label in zip(parts, labels[rows].T, strict=True)]
            optimiser.zero_grad()
            torch.stack(losses).sum().backward()
            optimiser.step()
            schedule.step()
            advance(1)
        self.network.eval()
