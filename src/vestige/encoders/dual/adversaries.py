"""Adversarial training of a dual encoder (Song and Raghunathan 2020, Section 7).

Each adversary adds a loss to the encoder's own. A linear adversary learns to infer words or an attribute from the
vectors, and the encoder learns to defeat it by gradient reversal (Ganin and Lempitsky 2015): the adversary descends its
loss, while the encoder ascends it, times lambda.

An attribute can also be hidden without a learning adversary. A linear classifier can infer an attribute if and only if
vectors and attribute are correlated (Belrose et al. 2023), so the encoder can minimize that dependence itself, as
estimated on a batch. The estimate is the Hilbert-Schmidt independence criterion of Gretton et al. 2005 with linear
kernels: over all pairs of two sentences, the similarity of their vectors times the similarity of their classes. Pairs
of a sentence with itself are excluded, since they only measure the length of the vectors.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, softplus

from vestige.nn.gradient_reversal import reverse_gradient

NO_LABEL = -1


class AdversarialLoss(nn.Module, ABC):
    """A term that is added to the encoder's loss; `strength` is the lambda of the paper."""

    def __init__(self, strength: float) -> None:
        super().__init__()
        self.strength = strength

    @abstractmethod
    def loss(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """The loss of the vectors of these sentences."""

    @abstractmethod
    def penalty(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """What the encoder minimizes: the adversary's success, times lambda."""


class LinearAdversary(AdversarialLoss):
    """A linear classifier of the vectors, trained together with the encoder."""

    def __init__(self, dimension: int, classes: int, strength: float) -> None:
        super().__init__(strength)
        self.classifier = nn.Linear(dimension, classes)

    def loss(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """The classifier's loss; its gradient is reversed before it reaches the vectors."""
        return self._loss(self.classifier(reverse_gradient(vectors, self.strength)).float(), rows)

    def penalty(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """The classifier's loss, times -lambda."""
        return -self.strength * self.loss(vectors, rows)

    @abstractmethod
    def _loss(self, logits: Tensor, rows: Sequence[int]) -> Tensor:
        """The mean over sentences."""


class WordAdversary(LinearAdversary):
    """Infers which words of the vocabulary a sentence contains, with the multi-label loss of Equation 8."""

    def __init__(self, dimension: int, vocabulary: int, strength: float, texts: Sequence[Sequence[int]]) -> None:
        super().__init__(dimension, vocabulary, strength)
        # Row 0 of the vocabulary stands for all unknown words, so it is no word to infer.
        self.words = [sorted({*text} - {0}) for text in texts]

    def _loss(self, logits: Tensor, rows: Sequence[int]) -> Tensor:
        places = [(at, word) for at, row in enumerate(rows) for word in self.words[row]]
        present = torch.tensor(places, dtype=torch.long).reshape(-1, 2).T
        return (softplus(logits[:, 1:]).sum() - logits[present[0], present[1]].sum()) / len(rows)


class AttributeAdversary(LinearAdversary):
    """Infers an attribute of a sentence, such as its author; sentences without a label do not count."""

    def __init__(self, dimension: int, labels: Sequence[str | None], strength: float) -> None:
        classes = number_labels(labels)
        super().__init__(dimension, int(classes.max()) + 1, strength)
        self.classes = classes

    def _loss(self, logits: Tensor, rows: Sequence[int]) -> Tensor:
        classes = self.classes[list(rows)]
        if not (classes != NO_LABEL).any():
            return logits.sum() * 0
        return cross_entropy(logits, classes, ignore_index=NO_LABEL)


class DependenceLoss(AdversarialLoss):
    """`strength` times the dependence of the vectors on an attribute; 0 in expectation if they are independent.

    The similarity of two sentences of one class is 1 / (share of the class) - 1, of two different classes -1.
    """

    def __init__(self, labels: Sequence[str | None], strength: float) -> None:
        super().__init__(strength)
        self.classes = number_labels(labels)
        known = self.classes[self.classes != NO_LABEL]
        self.share = torch.bincount(known) / len(known)

    def loss(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """Vectors are centred and scaled by their mean square, so that shrinking them does not help."""
        centred = vectors.float() - vectors.float().mean(dim=0)
        similarity = centred @ centred.T / centred.detach().square().sum(dim=1).mean().clamp(min=1e-12)
        product = similarity * self.class_similarity(rows)
        pairs = len(rows) * (len(rows) - 1)
        return self.strength * (product.sum() - product.diagonal().sum()) / max(pairs, 1)

    def penalty(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """The same: the encoder minimizes it directly."""
        return self.loss(vectors, rows)

    def class_similarity(self, rows: Sequence[int]) -> Tensor:
        """The similarity of the classes of each two sentences, 0 on average; 0 if either has no label."""
        classes = self.classes[list(rows)]
        known = (classes != NO_LABEL).float()
        same = (classes[:, None] == classes[None, :]) / self.share[classes.clamp(min=0)]
        return (same - 1) * known[:, None] * known[None, :]


def number_labels(labels: Sequence[str | None]) -> Tensor:
    """The class of each sentence as a number; -1 without a label."""
    names = sorted({label for label in labels if label is not None})
    place = {name: at for at, name in enumerate(names)}
    return torch.tensor([NO_LABEL if label is None else place[label] for label in labels])
