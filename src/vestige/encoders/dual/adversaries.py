"""Adversarial training of a dual encoder (Song and Raghunathan 2020, Section 7).

An adversary infers something from the vectors of a batch: the words of a sentence, or its class, such as its author.
The encoder minimizes its own loss plus lambda times the adversary's success, the `penalty`; then the adversary learns
from the same batch. There are four kinds.

- "linear", as published: a linear classifier that descends its loss while the encoder ascends it, each by one step per
  batch. This is what gradient reversal does (Ganin and Lempitsky 2015).
- "network", as in the authors' released code: the same with a hidden layer.
- "capped", ours: the same, but it starts as the best guess without vectors, its input is standardized, and the encoder
  gains nothing from a loss above that of the best guess. Without this cap the encoder raises the loss of a classifier
  that lags behind without end, by vectors that it has never met, and learns nothing else.
- "dependence", ours: nothing is trained. A linear model can infer something if and only if it is correlated with the
  vectors (Belrose et al. 2023), so the encoder minimizes that correlation: the share of the variance of words or
  classes that a linear regression on the vectors explains, estimated over all pairs of two sentences of a batch.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from vestige.encoders.dual.secrets import Secret
from vestige.encoders.dual.settings import AdversarySettings

MEMORY = 0.9
"""The weight of the batches before in a running mean."""
DROPPED = 0.2
"""The share of its inputs that the adversary of the released code does not see."""
RIDGE = 0.01
"""The penalty of the linear regression, as a share of the mean variance of a column."""


class SecretAdversary(ABC):
    """Infers a secret from the vectors; `strength` is the lambda of the paper."""

    def __init__(self, secret: Secret, strength: float) -> None:
        self.secret = secret
        self.strength = strength

    def penalty(self, vectors: Tensor, rows: Sequence[int]) -> Tensor:
        """What the encoder minimizes, lambda times the adversary's success, for the vectors of these sentences."""
        known = self.secret.known(rows)
        if len(known) < 2:
            return vectors.sum() * 0
        columns = self.secret.columns([rows[place] for place in known])
        return self.strength * self._success(vectors[known].float(), columns)

    def study(self, vectors: Tensor, rows: Sequence[int]) -> None:
        """Learn from the vectors of these sentences, once the encoder has."""
        known = self.secret.known(rows)
        if known:
            columns = self.secret.columns([rows[place] for place in known])
            self._learn(vectors.detach()[known].float(), columns)

    @abstractmethod
    def _success(self, vectors: Tensor, columns: Tensor) -> Tensor:
        """How well the secret is inferred."""

    @abstractmethod
    def _learn(self, vectors: Tensor, columns: Tensor) -> None:
        """Take one step."""


class LinearAdversary(SecretAdversary):
    """The published adversary: a linear classifier, trained with Adam at its own learning rate."""

    def __init__(self, secret: Secret, strength: float, dimension: int, learning_rate: float) -> None:
        super().__init__(secret, strength)
        self.classifier: nn.Module = self._build(dimension, secret.count)
        self.optimizer = torch.optim.Adam(self.classifier.parameters(), lr=learning_rate)

    def _build(self, dimension: int, count: int) -> nn.Module:
        return nn.Linear(dimension, count)

    def losses(self, vectors: Tensor, columns: Tensor) -> Tensor:
        """The classifier's loss of each sentence."""
        return self.secret.losses(self.classifier(vectors), columns)

    def _success(self, vectors: Tensor, columns: Tensor) -> Tensor:
        return -self.losses(vectors, columns).mean()

    def _learn(self, vectors: Tensor, columns: Tensor) -> None:
        self.optimizer.zero_grad()
        self.losses(vectors, columns).mean().backward()
        self.optimizer.step()


class NetworkAdversary(LinearAdversary):
    """The adversary of the released code: a hidden layer of half the dimension, a fifth dropped out before each layer.

    A linear classifier lags behind where the encoder only moves its vectors; a hidden layer follows further.
    """

    def _build(self, dimension: int, count: int) -> nn.Module:
        hidden = max(1, dimension // 2)
        layers = [nn.Dropout(DROPPED), nn.Linear(dimension, hidden), nn.ReLU(), nn.Dropout(DROPPED)]
        return nn.Sequential(*layers, nn.Linear(hidden, count))


class CappedAdversary(LinearAdversary):
    """A linear classifier that starts as the best guess without vectors; a loss beyond that guess's earns nothing."""

    def __init__(self, secret: Secret, strength: float, dimension: int, learning_rate: float) -> None:
        super().__init__(secret, strength, dimension, learning_rate)
        self.guess = secret.prior()
        self.moments: tuple[Tensor, Tensor] | None = None
        assert isinstance(self.classifier, nn.Linear)
        with torch.no_grad():
            self.classifier.weight.zero_()
            self.classifier.bias.copy_(self.guess)

    def losses(self, vectors: Tensor, columns: Tensor) -> Tensor:
        """The classifier's loss of each sentence, from standardized columns."""
        if self.moments is not None:
            mean, deviation = self.moments
            vectors = (vectors - mean) / deviation
        return super().losses(vectors, columns)

    def _success(self, vectors: Tensor, columns: Tensor) -> Tensor:
        cap = self.secret.losses(self.guess.expand(len(columns), -1), columns)
        return -torch.minimum(self.losses(vectors, columns), cap).mean()

    def _learn(self, vectors: Tensor, columns: Tensor) -> None:
        now = vectors.mean(dim=0), vectors.std(dim=0).clamp(min=1e-4)
        if self.moments is None:
            self.moments = now
        else:
            mean, deviation = (MEMORY * old + (1 - MEMORY) * new for old, new in zip(self.moments, now, strict=True))
            self.moments = mean, deviation
        super()._learn(vectors, columns)


class DependenceAdversary(SecretAdversary):
    """The share of the secret's variance that a linear regression on the vectors explains; nothing is trained.

    Vectors are whitened with the covariance of the batches before, and a column counts the more the rarer it is. The
    estimate sums, over all pairs of two sentences, the similarity of the vectors times the similarity of the columns
    (the Hilbert-Schmidt independence criterion of Gretton et al. 2005, with linear kernels). Pairs of a sentence with
    itself are excluded, since they only measure lengths; so it is 0 in expectation without dependence.
    """

    def __init__(self, secret: Secret, strength: float) -> None:
        super().__init__(secret, strength)
        self.share = secret.shares()
        self.covariance: Tensor | None = None

    def _success(self, vectors: Tensor, columns: Tensor) -> Tensor:
        centred = vectors - vectors.mean(dim=0)
        product = self._similarity(centred) * self.secret_similarity(columns)
        return (product.sum() - product.diagonal().sum()) / (len(vectors) - 1)

    def _similarity(self, centred: Tensor) -> Tensor:
        """Of the whitened vectors of each two sentences, 1 on average for a sentence and itself."""
        covariance = _covariance(centred.detach()) if self.covariance is None else self.covariance
        width = len(covariance)
        ridge = RIDGE * covariance.diagonal().mean().clamp(min=1e-12) * torch.eye(width)
        whitened = torch.cholesky_solve(centred.T, torch.linalg.cholesky(covariance + ridge))
        return centred @ whitened / width

    def secret_similarity(self, columns: Tensor) -> Tensor:
        """Of the secrets of each two sentences, 1 on average for a sentence and itself."""
        scaled = (columns - self.share) / self.share.sqrt()
        scaled = scaled - scaled.mean(dim=0)
        return scaled @ scaled.T / scaled.square().sum(dim=1).mean().clamp(min=1e-12)

    def _learn(self, vectors: Tensor, columns: Tensor) -> None:  # noqa: ARG002
        now = _covariance(vectors - vectors.mean(dim=0))
        self.covariance = now if self.covariance is None else MEMORY * self.covariance + (1 - MEMORY) * now


def build_adversary(secret: Secret, strength: float, dimension: int, settings: AdversarySettings) -> SecretAdversary:
    """The adversary of the kind that the settings name."""
    if settings.kind == "dependence":
        return DependenceAdversary(secret, strength)
    kind = {"linear": LinearAdversary, "network": NetworkAdversary, "capped": CappedAdversary}[settings.kind]
    return kind(secret, strength, dimension, settings.learning_rate)


def _covariance(centred: Tensor) -> Tensor:
    return centred.T @ centred / len(centred)
