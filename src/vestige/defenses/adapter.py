"""A learned adapter: a small map that preserves neighbours and removes what a re-fitted regression predicts."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from vestige.checks import check_above, check_count
from vestige.defenses.concepts import as_concepts, class_indicators
from vestige.defenses.defense import DefenseInfo, FixedMap
from vestige.defenses.mechanism import normalise_rows
from vestige.types import Floats, Singles, Vectors

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Sequential

_UNITS = 256
_ATTACKED, _SEARCHED = 1200, 400
"""Rows of each step that the regression is fitted on, and those among which neighbours are compared."""
_TEMPERATURE = 0.05
_RIDGE = 1e-3

_COMPARED = 600
"""Rows of each step that the kernel regression is fitted on: its time grows with their cube."""
_GAMMA, _PENALTY = 2.0, 0.1
"""The kernel is exp(-gamma·|x - y|²) on unit vectors, as that of the attacks; the penalty is on its diagonal."""


class Adapter(FixedMap):
    """Unit vectors plus a small network of them, trained to preserve neighbours and to mislead a regression.

    In each step a ridge regression of the labels is solved anew on the adapted vectors, so that the network never plays
    against an outdated adversary; `weight` times what it explains is added to the loss. The other part is how much the
    softmax of a row's cosines with other rows changes (Kullback and Leibler's divergence), so that near rows count
    most. The higher `weight`, the more is hidden and the more neighbours are lost. The network has a hidden layer: a
    linear map that can be inverted hides nothing from a linear adversary, and one that cannot is a projection. With
    `kernel`, a kernel ridge regression plays too: `kernel` times what it explains (leave-one-out) is added.

    Guarantee: none. Without `kernel`, it works against linear adversaries. One who looks at neighbours, which are
    preserved on purpose, still predicts the labels that neighbours share.
    Shapes: (n, d) to (n, d); labels are n classes, or a table of flags with one column per keyword.
    """

    info = DefenseInfo(
        "adapter",
        "adapter:WEIGHT, a network that preserves neighbours and hides labels; needs labels",
        needs="labels",
        strength="weight",
        strengths=lambda _dimension: (1, 16),
        explanation="A trained network keeps texts near their neighbours and makes the given labels hard to infer.",
    )
    learned: ClassVar[tuple[str, ...]] = ("inward_", "inward_bias_", "outward_", "outward_bias_")
    inward_: Singles
    inward_bias_: Singles
    outward_: Singles
    outward_bias_: Singles

    def __init__(self, *, weight: float = 1.0, kernel: float = 0.0, steps: int = 120, rate: float = 2e-3) -> None:
        self.weight = weight
        self.kernel = kernel
        self.steps = steps
        self.rate = rate

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_above("weight", self.weight, 0)
        if self.kernel != 0:
            check_above("kernel", self.kernel, 0)
        check_count("steps", self.steps, 1)
        check_above("rate", self.rate, 0)

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        belongs = class_indicators(as_concepts(labels, len(vectors)))
        standard = (belongs - belongs.mean(axis=0)) / belongs.std(axis=0)
        trained = self._train(normalise_rows(vectors), standard, rng)
        self.inward_, self.inward_bias_, self.outward_, self.outward_bias_ = trained

    def _train(self, vectors: Vectors, labels: Floats, rng: np.random.Generator) -> list[Singles]:
        """The weights and biases of the network's layers."""
        import torch

        rows, truth = torch.from_numpy(vectors), torch.from_numpy(labels.astype(np.float32))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**31)))
            network = _build(rows.shape[1])
        optimiser = torch.optim.Adam(network.parameters(), lr=self.rate)
        for _ in range(self.steps):
            drawn = torch.from_numpy(rng.permutation(len(rows))[:_ATTACKED])
            adapted = rows[drawn] + network(rows[drawn])
            loss = _neighbour_loss(rows[drawn][:_SEARCHED], adapted[:_SEARCHED])
            loss = loss + self.weight * _explained(adapted, truth[drawn])
            if self.kernel:
                loss = loss + self.kernel * _explained_by_kernel(adapted[:_COMPARED], truth[drawn][:_COMPARED])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        return [part.detach().numpy().copy() for part in network.parameters()]

    def _transform_block(self, vectors: Vectors) -> Singles:
        rows = normalise_rows(vectors)
        hidden = np.maximum(rows @ self.inward_.T + self.inward_bias_, 0)
        adapted: Singles = rows + (hidden @ self.outward_.T + self.outward_bias_)
        return adapted


def _build(dimension: int) -> "Sequential":
    """A network whose output is zero before it is trained."""
    from torch.nn import Linear, ReLU, Sequential, init

    last = Linear(_UNITS, dimension)
    init.zeros_(last.weight)
    init.zeros_(last.bias)
    return Sequential(Linear(dimension, _UNITS), ReLU(), last)


def _neighbour_loss(before: "Tensor", after: "Tensor") -> "Tensor":
    """How much the distribution over a row's neighbours, a softmax of cosines, differs from that before."""
    import torch
    from torch.nn.functional import kl_div, normalize

    others = ~torch.eye(len(before), dtype=torch.bool)
    logs = [
        (unit @ unit.T / _TEMPERATURE)[others].reshape(len(before), -1).log_softmax(dim=1)
        for unit in (before, normalize(after, dim=1))
    ]
    return kl_div(logs[1], logs[0], log_target=True, reduction="batchmean")


def _explained(vectors: "Tensor", labels: "Tensor") -> "Tensor":
    """The share of the labels' variance that a ridge regression on these rows explains."""
    import torch

    rows, truth = vectors - vectors.mean(dim=0), labels - labels.mean(dim=0)
    gram, cross = rows.T @ rows, rows.T @ truth
    penalty = _RIDGE * gram.diagonal().mean().clamp_min(1e-12) * torch.eye(len(gram))
    explained: Tensor = (cross * torch.linalg.solve(gram + penalty, cross)).sum()
    return explained / truth.square().sum().clamp_min(1e-12)


def _explained_by_kernel(vectors: "Tensor", labels: "Tensor") -> "Tensor":
    """The share of the labels' variance that kernel ridge regression explains, leave-one-out.

    On the rows that it was fitted on, a kernel explains anything; the prediction of a row without it has a closed form.
    """
    import torch
    from torch.nn.functional import normalize

    rows, truth = normalize(vectors, dim=1), labels - labels.mean(dim=0)
    kernel = torch.exp(2 * _GAMMA * (rows @ rows.T - 1))
    inverse = torch.linalg.inv(kernel + _PENALTY * torch.eye(len(rows)))
    missed = inverse @ truth / inverse.diagonal()[:, None]
    explained: Tensor = (1 - missed.square().sum() / truth.square().sum().clamp_min(1e-12)).clamp_min(0)
    return explained
