"""The published classifiers of secret fields: one network per field, on stored or on fresh texts (Pan et al. 2020)."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import log_softmax

from vestige.attacks.patterns.field_classifiers import FieldExamples, draw_batches
from vestige.nn.stopping import LAST, SHARE, LossWatch
from vestige.text.patterns import Pattern
from vestige.types import Floats, Integers, Progress, Singles, TrainingLog, Vectors

if TYPE_CHECKING:
    import torch
    from torch import Tensor

Batch = tuple[Vectors, Integers]
"""Vectors of some texts, and the numbers of their secrets."""

ITERATIONS = 100_000
UNITS = {"year": 400, "month": 25, "day": 200}
"""Hidden units by the name of a field; a field that the paper does not have gets `OTHER_UNITS`."""
OTHER_UNITS = 200
POSITION_UNITS = (400, 100)
BATCH, RATE = 128, 1e-3
TOGETHER = 64
"""Batches of fresh texts that are queried together."""
CHECKS = 100
"""How often the held-out loss is measured in a training."""


class PublishedNetworks:
    """One network per secret field, each trained by itself with Adam on batches of 128.

    All of them see the same batches. The paper does not state the step size (here: 1e-3, constant). `log_` has the mean
    loss of the fields on held-out texts, which decides nothing: the training has the length that it was given.
    """

    log_: TrainingLog

    def __init__(
        self, places: dict[str, int], width: int, sizes: list[int], device: "torch.device | None" = None
    ) -> None:
        """`places` has, per secret field, how many columns of the labels belong to it."""
        self.device = device
        self.networks: list[FieldNetwork | PositionNetwork] = []
        self.columns: list[slice] = []
        first = 0
        for name, count in places.items():
            size = sizes[first]
            network = FieldNetwork(name, width, size) if count == 1 else PositionNetwork(count, width, size)
            network.network.to(device)
            self.networks.append(network)
            self.columns.append(slice(first, first + count))
            first += count

    def train(
        self,
        batches: Iterable[Batch],
        held: FieldExamples,
        iterations: int,
        rng: np.random.Generator,
        progress: Progress,
    ) -> "PublishedNetworks":
        """One step of every network per batch."""
        import torch

        optimisers = [torch.optim.Adam(each.network.parameters(), lr=RATE, fused=True) for each in self.networks]
        watch = IterationWatch(iterations)
        advance = progress("fitting the attack as published", iterations)
        for step, (vectors, labels) in enumerate(batches, 1):
            inputs, wanted = (torch.from_numpy(each).to(self.device) for each in (vectors, labels))
            for network, columns, optimiser in zip(self.networks, self.columns, optimisers, strict=True):
                optimiser.zero_grad()
                network.loss(inputs, wanted[:, columns], rng).backward()
                optimiser.step()
            if watch.is_due(step):
                watch.update(step, self.score(held))
            advance(1)
        self._switch(train=False)
        self.log_ = watch.log()
        return self

    def score(self, held: FieldExamples) -> float:
        """The cross-entropy of held-out texts, averaged over secrets."""
        self._switch(train=False)
        tables = self.logits(held.vectors)
        self._switch(train=True)
        rows, columns = np.arange(len(held.labels)), held.labels.T
        losses = [-log_softmax(table, axis=1)[rows, column] for table, column in zip(tables, columns, strict=True)]
        return float(np.mean(losses))

    def logits(self, vectors: Vectors) -> list[Singles]:
        """Per secret, one row per text and one column per value."""
        import torch

        with torch.no_grad():
            inputs = torch.from_numpy(vectors).to(self.device)
            return [table for network in self.networks for table in network.logits(inputs)]

    def _switch(self, *, train: bool) -> None:
        for network in self.networks:
            network.network.train(train)


class IterationWatch:
    """Watches the held-out loss a hundred times in the course of a training of so many iterations."""

    def __init__(self, iterations: int) -> None:
        self.every = max(1, iterations // CHECKS)
        self.watch = LossWatch(most=max(1, iterations // self.every))
        self.steps: list[int] = []

    def is_due(self, step: int) -> bool:
        """Whether the loss is to be measured after this step, the first being 1."""
        return step % self.every == 0

    def update(self, step: int, loss: float) -> None:
        """Record the loss after a step."""
        self.steps.append(step)
        self.watch.update(loss)

    def log(self) -> TrainingLog:
        """How the training ended; the curve has the loss by iteration."""
        found = self.watch.log()
        curve = tuple(zip(self.steps, self.watch.losses, strict=True))
        rule = (
            f"{self.steps[-1]:,} iterations; converged if the last {LAST} of {len(curve)} equal parts lowered the "
            f"held-out loss by less than {SHARE:.0%}, and by less than {SHARE:.0%} of its whole fall"
        )
        return TrainingLog(rule, found.converged, self.steps[-1], curve)


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
        return [self.network(vectors).cpu().numpy()]


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
        truth = labels.gather(1, positions[:, None].to(labels.device))[:, 0]
        sines = self.sines[positions].to(vectors.device)
        return cross_entropy(self.network(torch.cat([vectors, sines], dim=1)), truth)

    def logits(self, vectors: "Tensor") -> list[Singles]:
        """Per position, one row per text and one column per value."""
        import torch

        inputs = (sines.to(vectors.device).expand(len(vectors), -1) for sines in self.sines)
        return [self.network(torch.cat([vectors, each], dim=1)).cpu().numpy() for each in inputs]


def sinusoidal(positions: int, width: int) -> Floats:
    """Row i - 1 is position i: sin(i / 10000^(c/d)) in even columns c, cos of the same in odd ones (Appendix B)."""
    columns = np.arange(width)
    angles = np.arange(1, positions + 1)[:, None] / 10000 ** (columns / width)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


def draw_stored(examples: FieldExamples, count: int, rng: np.random.Generator) -> Iterator[Batch]:
    """So many batches of stored texts."""
    for rows in draw_batches(len(examples.vectors), BATCH, count, rng):
        yield examples.vectors[rows], examples.labels[rows]


def draw_fresh(
    pattern: Pattern, encode: Callable[[list[str]], Vectors], count: int, rng: np.random.Generator
) -> Iterator[Batch]:
    """So many batches of texts that are generated and queried for them, several batches per query."""
    for start in range(0, count, TOGETHER):
        batches = min(TOGETHER, count - start)
        records = pattern.generate(batches * BATCH, rng)
        made = FieldExamples.build(encode(records.texts), records, pattern)
        for first in range(0, batches * BATCH, BATCH):
            rows = slice(first, first + BATCH)
            yield made.vectors[rows], made.labels[rows]
