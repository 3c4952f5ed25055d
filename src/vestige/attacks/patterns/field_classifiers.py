"""Classifiers of secret fields: our shared network, and the published one per field (Pan et al. 2020)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vestige.attacks.linear_words import whitening_matrix
from vestige.text.patterns import Pattern, Records
from vestige.types import Floats, Integers, Progress, Singles, Vectors

if TYPE_CHECKING:
    from torch import Tensor


ITERATIONS = 100_000
UNITS = {"year": 400, "month": 25, "day": 200}
"""Hidden units by the name of a field; a field that the paper does not have gets `OTHER_UNITS`."""
OTHER_UNITS = 200
POSITION_UNITS = (400, 100)
_PUBLISHED_BATCH, _PUBLISHED_RATE = 128, 1e-3
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


class SharedNetwork:
    """Whitened vectors, then a linear map in parallel with two layers of rectified units, then a softmax per field.

    The losses of the fields are added; the step size falls to zero. With few texts the linear map dominates, with many
    the layers, whose units have a dropout of 0.3.
    """

    def __init__(
        self, examples: FieldExamples, iterations: int | None, rng: np.random.Generator, progress: Progress
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
        steps = EPOCHS * -(-len(examples.vectors) // _BATCH)
        self._train(examples, steps if iterations is None else iterations, rng, progress)

    def logits(self, vectors: Vectors) -> list[Singles]:
        """Per field, one row per text and one column per value."""
        import torch

        with torch.no_grad():
            return [part.numpy() for part in self._parts(self._whiten(vectors))]

    def _parts(self, whitened: "Tensor") -> "tuple[Tensor, ...]":
        parts: tuple[Tensor, ...] = (self.layers(whitened) + self.linear(whitened)).split(self.sizes, dim=1)
        return parts

    def _whiten(self, vectors: Vectors) -> "Tensor":
        import torch

        return torch.from_numpy(np.asarray((vectors - self.mean) @ self.whitening, np.float32))

    def _train(self, examples: FieldExamples, iterations: int, rng: np.random.Generator, progress: Progress) -> None:
        import torch
        from torch.nn.functional import cross_entropy

        inputs, labels = self._whiten(examples.vectors), torch.from_numpy(examples.labels)
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


class PublishedNetworks:
    """One network per secret field, each trained by itself with Adam on batches of 128.

    The paper does not state the step size (here: 1e-3, constant).
    """

    def __init__(
        self,
        places: dict[str, int],
        examples: FieldExamples,
        iterations: int,
        rng: np.random.Generator,
        progress: Progress,
    ) -> None:
        """`places` has, per secret field, how many columns of the labels belong to it."""
        self.networks: list[FieldNetwork | PositionNetwork] = []
        width, first = examples.vectors.shape[1], 0
        for name, count in places.items():
            size, labels = examples.sizes[first], examples.labels[:, first : first + count]
            network = FieldNetwork(name, width, size) if count == 1 else PositionNetwork(count, width, size)
            _train(network, examples.vectors, labels, iterations, rng, progress)
            self.networks.append(network)
            first += count

    def logits(self, vectors: Vectors) -> list[Singles]:
        """Per secret, one row per text and one column per value."""
        import torch

        with torch.no_grad():
            return [table for network in self.networks for table in network.logits(torch.from_numpy(vectors))]


class FieldNetwork:
    """A perceptron with one hidden layer of sigmoid units."""

    def __init__(self, name: str, width: int, values: int) -> None:
        from torch.nn import Linear, Sequential, Sigmoid

        units = UNITS.get(name, OTHER_UNITS)
        self.network = Sequential(Linear(width, units), Sigmoid(), Linear(units, values))

    def loss(self, vectors: "Tensor", labels: "Tensor", rng: np.random.Generator) -> Any:  # noqa: ARG002
        """The cross-entropy of the field."""
        from torch.nn.functional import cross_entropy

        return cross_entropy(self.network(vectors), labels[:, 0])

    def logits(self, vectors: "Tensor") -> list[Singles]:
        """One row per text, one column per value."""
        return [self.network(vectors).numpy()]


class PositionNetwork:
    """One network for all positions; its input is the vector and the queried position, encoded as sines."""

    def __init__(self, positions: int, width: int, values: int) -> None:
        import torch
        from torch.nn import BatchNorm1d, Linear, Sequential, Sigmoid

        first, second = POSITION_UNITS
        self.sines = torch.from_numpy(sinusoidal(positions, width).astype(np.float32))
        self.network = Sequential(
            *(Linear(2 * width, first), BatchNorm1d(first), Sigmoid()),
            *(Linear(first, second), BatchNorm1d(second), Sigmoid()),
            Linear(second, values),
        )

    def loss(self, vectors: "Tensor", labels: "Tensor", rng: np.random.Generator) -> Any:
        """The cross-entropy of one position per text, drawn anew each time."""
        import torch
        from torch.nn.functional import cross_entropy

        positions = torch.from_numpy(rng.integers(len(self.sines), size=len(vectors)))
        truth = labels.gather(1, positions[:, None])[:, 0]
        return cross_entropy(self.network(torch.cat([vectors, self.sines[positions]], dim=1)), truth)

    def logits(self, vectors: "Tensor") -> list[Singles]:
        """Per position, one row per text and one column per value."""
        import torch

        inputs = (sines.expand(len(vectors), -1) for sines in self.sines)
        return [self.network(torch.cat([vectors, each], dim=1)).numpy() for each in inputs]


def sinusoidal(positions: int, width: int) -> Floats:
    """Row i - 1 is position i: sin(i / 10000^(c/d)) in even columns c, cos of the same in odd ones (Appendix B)."""
    columns = np.arange(width)
    angles = np.arange(1, positions + 1)[:, None] / 10000 ** (columns / width)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


def _train(
    classifier: FieldNetwork | PositionNetwork,
    vectors: Vectors,
    labels: Integers,
    iterations: int,
    rng: np.random.Generator,
    progress: Progress,
) -> None:
    import torch

    inputs, wanted = torch.from_numpy(vectors), torch.from_numpy(labels)
    optimiser = torch.optim.Adam(classifier.network.parameters(), lr=_PUBLISHED_RATE, fused=True)
    advance = progress("fitting the attack as published", iterations)
    for rows in draw_batches(len(inputs), _PUBLISHED_BATCH, iterations, rng):
        optimiser.zero_grad()
        classifier.loss(inputs[rows], wanted[rows], rng).backward()
        optimiser.step()
        advance(1)
    classifier.network.eval()


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
