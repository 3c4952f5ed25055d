"""Whom a dual encoder is trained against: readers that learn along with it, and whose lessons it unlearns.

Song and Raghunathan, CCS 2020, Section 7, by the reversed gradient of Ganin and Lempitsky 2015: the reader goes down
its own loss, the encoder goes up that loss, times lambda, and down its own.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, softplus

from vestige.nn.gradient_reversal import reversed_gradient

NO_LABEL = -1


class Opponent(nn.Module, ABC):
    """What is added to the loss of the encoder; `strength` is the lambda of the paper."""

    def __init__(self, strength: float) -> None:
        super().__init__()
        self.strength = strength

    @abstractmethod
    def loss(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """Of the vectors of these sentences."""


class Reader(Opponent):
    """A linear reader of vectors."""

    def __init__(self, dimension: int, classes: int, strength: float) -> None:
        super().__init__(strength)
        self.reader = nn.Linear(dimension, classes)

    def loss(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """How badly it reads; below the vectors the gradient is turned."""
        return self._loss(self.reader(reversed_gradient(vectors, self.strength)).float(), rows)

    @abstractmethod
    def _loss(self, logits: Tensor, rows: Sequence[int]) -> Tensor:
        """The mean over sentences."""


class WordReader(Reader):
    """Tells which words of the vocabulary are in a sentence; its loss is the multi-label one of Equation 8."""

    def __init__(self, dimension: int, vocabulary: int, strength: float, texts: Sequence[Sequence[int]]) -> None:
        super().__init__(dimension, vocabulary, strength)
        # The first row of the vocabulary is every unknown word, and no word.
        self.words = [sorted({*text} - {0}) for text in texts]

    def _loss(self, logits: Tensor, rows: Sequence[int]) -> Tensor:
        places = [(at, word) for at, row in enumerate(rows) for word in self.words[row]]
        present = torch.tensor(places, dtype=torch.long).reshape(-1, 2).T
        return (softplus(logits[:, 1:]).sum() - logits[present[0], present[1]].sum()) / len(rows)


class AttributeReader(Reader):
    """Tells the attribute of a sentence, such as its author; sentences without one teach it nothing."""

    def __init__(self, dimension: int, labels: Sequence[str | None], strength: float) -> None:
        classes = numbered(labels)
        super().__init__(dimension, int(classes.max()) + 1, strength)
        self.classes = classes

    def _loss(self, logits: Tensor, rows: Sequence[int]) -> Tensor:
        classes = self.classes[list(rows)]
        if not (classes != NO_LABEL).any():
            return logits.sum() * 0
        return cross_entropy(logits, classes, ignore_index=NO_LABEL)


def numbered(labels: Sequence[str | None]) -> Tensor:
    """The class of each sentence as a number."""
    names = sorted({label for label in labels if label is not None})
    place = {name: at for at, name in enumerate(names)}
    return torch.tensor([NO_LABEL if label is None else place[label] for label in labels])
