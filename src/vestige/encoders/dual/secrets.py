"""What a dual encoder is trained to hide: the words of a sentence, or its class, such as its author."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

NO_LABEL = -1


class Secret(ABC):
    """What an adversary infers: `count` binary columns per sentence; row i of the corpus is sentence i."""

    count: int

    @abstractmethod
    def known(self, rows: Sequence[int]) -> list[int]:
        """The places in `rows` of the sentences whose columns are known."""

    @abstractmethod
    def columns(self, rows: Sequence[int]) -> Tensor:
        """The columns of these sentences, 0 or 1."""

    @abstractmethod
    def shares(self) -> Tensor:
        """The share of the sentences that have each column; never 0 or 1."""

    @abstractmethod
    def losses(self, logits: Tensor, columns: Tensor) -> Tensor:
        """The loss of a prediction of each sentence."""

    @abstractmethod
    def prior(self) -> Tensor:
        """The logits of the best guess without vectors."""


class WordSecret(Secret):
    """Which words of the vocabulary a sentence contains, with the multi-label loss of Equation 8.

    Row 0 of the vocabulary stands for all unknown words, so it is no word to infer.
    """

    def __init__(self, texts: Sequence[Sequence[int]], vocabulary: int) -> None:
        self.count = vocabulary - 1
        self.words = [sorted({word - 1 for word in text if word}) for text in texts]

    def known(self, rows: Sequence[int]) -> list[int]:
        """All of them."""
        return list(range(len(rows)))

    def columns(self, rows: Sequence[int]) -> Tensor:
        """One column per word."""
        columns = torch.zeros(len(rows), self.count)
        for place, row in enumerate(rows):
            columns[place, self.words[row]] = 1.0
        return columns

    def shares(self) -> Tensor:
        """Half a sentence with and half a sentence without each word are added."""
        met = np.bincount([word for text in self.words for word in text], minlength=self.count)
        return torch.tensor((met + 0.5) / (len(self.words) + 1), dtype=torch.float32)

    def losses(self, logits: Tensor, columns: Tensor) -> Tensor:
        """Summed over the vocabulary."""
        return binary_cross_entropy_with_logits(logits, columns, reduction="none").sum(dim=1)

    def prior(self) -> Tensor:
        """The log odds of each word."""
        return torch.logit(self.shares())


class ClassSecret(Secret):
    """The class of a sentence, such as its author; sentences without a label do not count."""

    def __init__(self, labels: Sequence[str | None]) -> None:
        self.classes = number_labels(labels)
        self.count = int(self.classes.max()) + 1

    def known(self, rows: Sequence[int]) -> list[int]:
        """Those with a label."""
        return [place for place, row in enumerate(rows) if self.classes[row] != NO_LABEL]

    def columns(self, rows: Sequence[int]) -> Tensor:
        """One column per class."""
        return nn.functional.one_hot(self.classes[list(rows)], self.count).float()

    def shares(self) -> Tensor:
        """Among the sentences with a label."""
        known = self.classes[self.classes != NO_LABEL]
        return torch.bincount(known, minlength=self.count) / len(known)

    def losses(self, logits: Tensor, columns: Tensor) -> Tensor:
        """Cross-entropy."""
        return cross_entropy(logits, columns, reduction="none")

    def prior(self) -> Tensor:
        """The logarithm of the share of each class."""
        return self.shares().log()


def number_labels(labels: Sequence[str | None]) -> Tensor:
    """The class of each sentence as a number; -1 without a label."""
    names = sorted({label for label in labels if label is not None})
    place = {name: at for at, name in enumerate(names)}
    return torch.tensor([NO_LABEL if label is None else place[label] for label in labels])
