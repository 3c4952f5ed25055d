"""A classifier of secret fields: one network for all of them, and the generated texts that it learns from."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vestige.attacks.linear_words import whitening_matrix
from vestige.text.patterns import Pattern, Records
from vestige.types import Integers, Progress, Singles, Vectors

if TYPE_CHECKING:
    import torch
    from torch import Tensor


EPOCHS = 10
_UNITS, _DROPOUT, _BATCH, _RATE = 512, 0.3, 128, 2e-3


@dataclass(frozen=True, slots=True)
class FieldExamples:
    """Vectors of made-up texts; `labels` has one column per secret, `sizes` the number of values of each."""

    vectors: Vectors
    labels: Integers
    sizes: list[int]

    @classmethod
    def build(cls, vectors: Vectors, records: Records, pattern: Pattern) -> "FieldExamples":
        """Number the values of each secret."""
        columns = []
        for name, values in pattern.secrets.items():
            number = {value: place for place, value in enumerate(values)}
            columns.append([number[value] for value in records.secrets[name]])
        return cls(vectors, np.array(columns).T.copy(), [len(values) for values in pattern.secrets.values()])

    def split(self, held: int) -> tuple["FieldExamples", "FieldExamples"]:
        """All but the last so many texts, and these."""
        return self._take(slice(-held)), self._take(slice(-held, None))

    def _take(self, rows: slice) -> "FieldExamples":
        return FieldExamples(self.vectors[rows], self.labels[rows], self.sizes)


class SharedNetwork:
    """Whitened vectors, then a linear map in parallel with two layers of rectified units, then a softmax per field.

    The losses of the fields are added; the step size falls to zero. With few texts the linear map dominates, with many
    the layers, whose units have a dropout of 0.3.
    """

    def __init__(
        self,
        examples: FieldExamples,
        iterations: int | None,
        device: "torch.device",
        rng: np.random.Generator,
        progress: Progress,
    ) -> None:
        from torch.nn import Dropout, Linear, ReLU, Sequential
        from torch.nn.init import zeros_

        self.sizes = examples.sizes
        self.mean = examples.vectors.mean(axis=0)
        self.whitening = whitening_matrix(examples.vectors - self.mean)
        width, values = self.whitening.shape[1], sum(examples.sizes)
        self.layers = Sequential(
            *(Linear(width, _UNITS), ReLU(), Dropout(_DROPOUT)),
            *(Linear(_UNITS, _UNITS), ReLU(), Dropout(_DROPOUT)),
            Linear(_UNITS, values),
        )
        self.linear = Linear(width, values, bias=False)
        zeros_(self.linear.weight)
        self.device = device
        self.layers.to(device)
        self.linear.to(device)
        steps = EPOCHS * -(-len(examples.vectors) // _BATCH)
        self._train(examples, steps if iterations is None else iterations, rng, progress)

    def logits(self, vectors: Vectors) -> list[Singles]:
        """Per field, one row per text and one column per value."""
        import torch

        with torch.no_grad():
            return [part.cpu().numpy() for part in self._parts(self._whiten(vectors))]

    def _parts(self, whitened: "Tensor") -> "tuple[Tensor, ...]":
        parts: tuple[Tensor, ...] = (self.layers(whitened) + self.linear(whitened)).split(self.sizes, dim=1)
        return parts

    def _whiten(self, vectors: Vectors) -> "Tensor":
        import torch

        return torch.from_numpy(np.asarray((vectors - self.mean) @ self.whitening, np.float32)).to(self.device)

    def _train(self, examples: FieldExamples, iterations: int, rng: np.random.Generator, progress: Progress) -> None:
        import torch
        from torch.nn.functional import cross_entropy

        inputs, labels = self._whiten(examples.vectors), torch.from_numpy(examples.labels).to(self.device)
        weights = [*self.layers.parameters(), *self.linear.parameters()]
        optimiser = torch.optim.Adam(weights, lr=_RATE, fused=True)
        schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, total_iters=iterations)
        advance = progress("fitting the attack", iterations)
        for rows in draw_batches(len(inputs), _BATCH, iterations, rng):
            parts = zip(self._parts(inputs[rows]), labels[rows].T, strict=True)
            optimiser.zero_grad()
            torch.stack([cross_entropy(part, label) for part, label in parts]).sum().backward()
            optimiser.step()
            schedule.step()
            advance(1)
        self.layers.eval()


def draw_batches(rows: int, size: int, count: int, rng: np.random.Generator) -> Iterator[Integers]:
    """So many batches of rows; every row comes up once before any comes up again, and never twice in one batch."""
    size = min(size, rows)
    order = rng.permutation(rows)
    start = 0
    for _ in range(count):
        if start + size > rows:
            order, start = rng.permutation(rows), 0
        yield order[start : start + size]
        start += size
