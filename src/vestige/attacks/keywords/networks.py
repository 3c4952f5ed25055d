"""One small network per keyword, all trained together: every product is one batched product for all keywords.

vector -> sigmoid layer -> linear layer -> softmax: does the text contain the keyword? From the same sigmoid layer a
second linear layer may predict the domain of the vector, and its gradient is reversed (Pan et al. 2020, Algorithm 1).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from vestige.attacks.keywords.examples import Examples
from vestige.nn.gradient_reversal import reverse_gradient
from vestige.types import Floats, Integers, Progress, Vectors, silent


@dataclass(frozen=True)
class NetworkTraining:
    """The settings of Pan et al. 2020, Section VI-C; `reversal` is lambda."""

    epochs: int
    reversal: float = 1.0
    rate: float = 1e-3
    batch: int = 64


class Networks(torch.nn.Module):
    """As many networks, each with `units` in its sigmoid layer."""

    def __init__(self, networks: int, dimension: int, units: int) -> None:
        super().__init__()
        self.hidden = _Linear(networks, dimension, units)
        self.keyword = _Linear(networks, units, 2)
        self.domain = _Linear(networks, units, 2)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """From (networks, n, dimension) to the output of the sigmoid layers and the logits of the keywords."""
        shared = self.hidden(vectors).sigmoid()
        return shared, self.keyword(shared)

    @torch.no_grad()
    def probabilities(self, vectors: Tensor) -> Floats:
        """From (n, dimension) to (n, networks)."""
        logits = self(vectors.expand(len(self.hidden.weight), *vectors.shape))[1]
        found: Floats = (logits[..., 1] - logits[..., 0]).double().sigmoid().T.numpy()
        return found


class _Linear(torch.nn.Module):
    """Several linear layers, initialised as torch initialises one."""

    def __init__(self, layers: int, inputs: int, outputs: int) -> None:
        super().__init__()
        bound = inputs**-0.5
        self.weight = torch.nn.Parameter(torch.empty(layers, inputs, outputs).uniform_(-bound, bound))
        self.bias = torch.nn.Parameter(torch.empty(layers, 1, outputs).uniform_(-bound, bound))

    def forward(self, given: Tensor) -> Tensor:
        return torch.baddbmm(self.bias, given, self.weight)


def init_networks(networks: int, dimension: int, units: int, rng: np.random.Generator) -> Networks:
    """Networks whose weights depend on `rng` alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        return Networks(networks, dimension, units)


def train_networks(
    networks: Networks,
    examples: Examples,
    training: NetworkTraining,
    *,
    rng: np.random.Generator,
    victims: Vectors | None = None,
    after_epoch: Callable[[Networks], object] = lambda _: None,
    progress: Progress = silent,
) -> None:
    """Adam on batches of which half contain the keyword; with `victims`, also on as many of both domains by halves.

    The keyword with most examples sets the length of an epoch.
    """
    known, foreign = torch.from_numpy(examples.vectors), None if victims is None else torch.from_numpy(victims)
    sides = examples.sides
    longest = max(min(len(without), len(holding)) for without, holding in sides)
    steps = -(-2 * longest // training.batch)
    half = training.batch // 2
    optimiser = torch.optim.Adam(networks.parameters(), lr=training.rate, fused=True)
    advance = progress("training the networks", training.epochs)
    for _ in range(training.epochs):
        for _ in range(steps):
            inputs = known[_draw_batch(sides, half, rng)]
            if foreign is None:
                loss = _half_loss(networks(inputs)[1], half)
            else:
                loss = adversarial_loss(networks, inputs, _mix_domains(known, foreign, len(sides), half, rng), training)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        after_epoch(networks)
        advance(1)


def _draw_batch(sides: list[tuple[Integers, Integers]], half: int, rng: np.random.Generator) -> Tensor:
    """Rows of one batch per network: `half` without its keyword, then `half` with it."""
    rows = [np.concatenate([side[rng.integers(len(side), size=half)] for side in both]) for both in sides]
    return torch.from_numpy(np.stack(rows))


def _mix_domains(known: Tensor, foreign: Tensor, networks: int, half: int, rng: np.random.Generator) -> Tensor:
    drawn = [each[torch.from_numpy(rng.integers(len(each), size=(networks, half)))] for each in (known, foreign)]
    return torch.cat(drawn, dim=1)


def adversarial_loss(networks: Networks, inputs: Tensor, mixed: Tensor, training: NetworkTraining) -> Tensor:
    """The loss of the keywords on `inputs` plus that of the domains on `mixed`, whose gradient is reversed."""
    half = training.batch // 2
    shared, logits = networks(torch.cat([inputs, mixed], dim=1))
    whose = networks.domain(reverse_gradient(shared[:, 2 * half :], training.reversal))
    return _half_loss(logits[:, : 2 * half], half) + _half_loss(whose, half)


def _half_loss(logits: Tensor, half: int) -> Tensor:
    """Cross-entropy where the first half of each batch is of class 0 and the rest of class 1, summed over networks."""
    truth = (torch.arange(2 * half) >= half).long().expand(len(logits), -1)
    return cross_entropy(logits.reshape(-1, 2), truth.reshape(-1)) * len(logits)
