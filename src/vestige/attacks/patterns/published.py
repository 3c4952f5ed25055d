"""The networks of Pan et al. (2020): one a field, and one for every position of a code."""

from typing import TYPE_CHECKING, Any

import numpy as np

from vestige.attacks.patterns.batches import batches
from vestige.attacks.patterns.lesson import Lesson
from vestige.types import Floats, Integers, Progress, Singles, Vectors

if TYPE_CHECKING:
    from torch import Tensor

ITERATIONS = 100_000
UNITS = {"year": 400, "month": 25, "day": 200}
"""Hidden units by the name of a field; one that the paper has not gets `OTHER_UNITS`."""

OTHER_UNITS = 200
POSITION_UNITS = (400, 100)
_BATCH, _RATE = 128, 1e-3


class FieldReader:
    """A perceptron with one hidden layer of sigmoid units."""

    def __init__(self, name: str, width: int, values: int) -> None:
        from torch.nn import Linear, Sequential, Sigmoid

        units = UNITS.get(name, OTHER_UNITS)
        self.network = Sequential(Linear(width, units), Sigmoid(), Linear(units, values))

    def loss(self, vectors: "Tensor", labels: "Tensor", rng: np.random.Generator) -> Any:  # noqa: ARG002
        """Cross-entropy of the one field."""
        from torch.nn.functional import cross_entropy

        return cross_entropy(self.network(vectors), labels[:, 0])

    def logits(self, vectors: "Tensor") -> list[Singles]:
        """A row a text, a column a value."""
        return [self.network(vectors).numpy()]


class PositionReader:
    """One network for all positions; the position asked for goes in beside the vector, as sines."""

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
        """Cross-entropy of one position a text, drawn anew each time."""
        import torch
        from torch.nn.functional import cross_entropy

        asked = torch.from_numpy(rng.integers(len(self.sines), size=len(vectors)))
        there = labels.gather(1, asked[:, None])[:, 0]
        return cross_entropy(self.network(torch.cat([vectors, self.sines[asked]], dim=1)), there)

    def logits(self, vectors: "Tensor") -> list[Singles]:
        """Per position, a row a text and a column a value."""
        import torch

        beside = (sines.expand(len(vectors), -1) for sines in self.sines)
        return [self.network(torch.cat([vectors, each], dim=1)).numpy() for each in beside]


class PublishedReaders:
    """A reader a secret field, each taught by itself with Adam on batches of 128.

    The step size is not stated (here: 1e-3, constant).
    """

    def __init__(
        self, places: dict[str, int], lesson: Lesson, iterations: int, rng: np.random.Generator, progress: Progress
    ) -> None:
        """`places` says, per secret field, how many columns of the labels are its own."""
        self.readers: list[FieldReader | PositionReader] = []
        width, first = lesson.vectors.shape[1], 0
        for name, count in places.items():
            size, labels = lesson.sizes[first], lesson.labels[:, first : first + count]
            reader = FieldReader(name, width, size) if count == 1 else PositionReader(count, width, size)
            _train(reader, lesson.vectors, labels, iterations, rng, progress)
            self.readers.append(reader)
            first += count

    def logits(self, vectors: Vectors) -> list[Singles]:
        """Per secret, a row a text and a column a value."""
        import torch

        with torch.no_grad():
            return [table for reader in self.readers for table in reader.logits(torch.from_numpy(vectors))]


def sinusoidal(positions: int, width: int) -> Floats:
    """Row i - 1 is position i: sin(i / 10000^(c/d)) in even columns c, cos of the same in odd ones (Appendix B)."""
    columns = np.arange(width)
    angles = np.arange(1, positions + 1)[:, None] / 10000 ** (columns / width)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


def _train(
    reader: FieldReader | PositionReader,
    vectors: Vectors,
    labels: Integers,
    iterations: int,
    rng: np.random.Generator,
    progress: Progress,
) -> None:
    import torch

    inputs, wanted = torch.from_numpy(vectors), torch.from_numpy(labels)
    optimiser = torch.optim.Adam(reader.network.parameters(), lr=_RATE, fused=True)
    advance = progress("fitting the attack as published", iterations)
    for rows in batches(len(inputs), _BATCH, iterations, rng):
        optimiser.zero_grad()
        reader.loss(inputs[rows], wanted[rows], rng).backward()
        optimiser.step()
        advance(1)
    reader.network.eval()
