"""Our own reader of fields: hidden layers that all fields share, taught on one pool of vectors."""

from typing import TYPE_CHECKING

import numpy as np

from vestige.attacks.linear_words import whitening_of
from vestige.attacks.patterns.batches import batches
from vestige.attacks.patterns.lesson import Lesson
from vestige.types import Progress, Singles, Vectors

if TYPE_CHECKING:
    from torch import Tensor

EPOCHS = 10
_UNITS, _DROPOUT, _BATCH, _RATE = 512, 0.3, 128, 2e-3


class SharedReader:
    """Whitened vectors, then a linear map beside two layers of rectified units, then a softmax a field.

    The losses of the fields are added; the step size falls to nothing. Few texts speak through the linear map, many
    through the layers, of which three in ten units are left out at each step.
    """

    def __init__(self, lesson: Lesson, iterations: int | None, rng: np.random.Generator, progress: Progress) -> None:
        from torch.nn import Dropout, Linear, ReLU, Sequential
        from torch.nn.init import zeros_

        self.sizes = lesson.sizes
        self.mean = lesson.vectors.mean(axis=0)
        self.whitening = whitening_of(lesson.vectors - self.mean)
        width, values = self.whitening.shape[1], sum(lesson.sizes)
        self.layers = Sequential(
            *(Linear(width, _UNITS), ReLU(), Dropout(_DROPOUT)),
            *(Linear(_UNITS, _UNITS), ReLU(), Dropout(_DROPOUT)),
            Linear(_UNITS, values),
        )
        self.beside = Linear(width, values, bias=False)
        zeros_(self.beside.weight)
        usual = EPOCHS * -(-len(lesson.vectors) // _BATCH)
        self._train(lesson, usual if iterations is None else iterations, rng, progress)

    def logits(self, vectors: Vectors) -> list[Singles]:
        """Per field, a row a text and a column a value."""
        import torch

        with torch.no_grad():
            return [part.numpy() for part in self._parts(self._seen(vectors))]

    def _parts(self, seen: "Tensor") -> "tuple[Tensor, ...]":
        parts: tuple[Tensor, ...] = (self.layers(seen) + self.beside(seen)).split(self.sizes, dim=1)
        return parts

    def _seen(self, vectors: Vectors) -> "Tensor":
        import torch

        return torch.from_numpy(np.asarray((vectors - self.mean) @ self.whitening, np.float32))

    def _train(self, lesson: Lesson, iterations: int, rng: np.random.Generator, progress: Progress) -> None:
        import torch
        from torch.nn.functional import cross_entropy

        seen, labels = self._seen(lesson.vectors), torch.from_numpy(lesson.labels)
        weights = [*self.layers.parameters(), *self.beside.parameters()]
        optimiser = torch.optim.Adam(weights, lr=_RATE, fused=True)
        schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, total_iters=iterations)
        advance = progress("fitting the attack", iterations)
        for rows in batches(len(seen), _BATCH, iterations, rng):
            parts = zip(self._parts(seen[rows]), labels[rows].T, strict=True)
            optimiser.zero_grad()
            torch.stack([cross_entropy(part, label) for part, label in parts]).sum().backward()
            optimiser.step()
            schedule.step()
            advance(1)
        self.layers.eval()
