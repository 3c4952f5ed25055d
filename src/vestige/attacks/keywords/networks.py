"""One small network a keyword, all trained side by side: every product is one batched product for all keywords.

vector -> sigmoid layer -> linear layer -> softmax: does the text hold the keyword? From the same sigmoid layer a second
linear layer may tell to whom the vector belongs, and its gradient is turned back (Pan et al. 2020, Algorithm 1).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from vestige.attacks.keywords.examples import Examples
from vestige.nn.gradient_reversal import reversed_gradient
from vestige.types import Floats, Integers, Progress, Vectors, silent


@dataclass(frozen=True)
class Training:
    """Settings of Section VI-C; `reversal` is lambda."""

    epochs: int
    reversal: float = 1.0
    rate: float = 1e-3
    batch: int = 64


class Networks(torch.nn.Module):
    """`units` in the sigmoid layer of each of so many networks."""

    def __init__(self, networks: int, dimension: int, units: int) -> None:
        super().__init__()
        self.hidden = _Linear(networks, dimension, units)
        self.keyword = _Linear(networks, units, 2)
        self.domain = _Linear(networks, units, 2)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """From (networks, n, dimension) to what the sigmoid layers give and the logits of the keywords."""
        shared = self.hidden(vectors).sigmoid()
        return shared, self.keyword(shared)

    @torch.no_grad()
    def probabilities(self, vectors: Tensor) -> Floats:
        """From (n, dimension) to (n, networks)."""
        logits = self(vectors.expand(len(self.hidden.weight), *vectors.shape))[1]
        found: Floats = (logits[..., 1] - logits[..., 0]).double().sigmoid().T.numpy()
        return found


class _Linear(torch.nn.Module):
    """So many linear layers, begun as torch begins one."""

    def __init__(self, layers: int, inputs: int, outputs: int) -> None:
        super().__init__()
        bound = inputs**-0.5
        self.weight = torch.nn.Parameter(torch.empty(layers, inputs, outputs).uniform_(-bound, bound))
        self.bias = torch.nn.Parameter(torch.empty(layers, 1, outputs).uniform_(-bound, bound))

    def forward(self, given: Tensor) -> Tensor:
        return torch.baddbmm(self.bias, given, self.weight)


def begun(networks: int, dimension: int, units: int, rng: np.random.Generator) -> Networks:
    """Networks with weights drawn by `rng` alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        return Networks(networks, dimension, units)


def train(
    networks: Networks,
    examples: Examples,
    training: Training,
    *,
    rng: np.random.Generator,
    victims: Vectors | None = None,
    after_epoch: Callable[[Networks], object] = lambda _: None,
    progress: Progress = silent,
) -> None:
    """Adam on batches of which half hold the keyword; with `victims`, also on as many of both domains by halves.

    An epoch is as long as the keyword with most examples asks for.
    """
    known, strange = torch.from_numpy(examples.vectors), None if victims is None else torch.from_numpy(victims)
    sides = examples.sides
    longest = max(min(len(without), len(holding)) for without, holding in sides)
    steps = -(-2 * longest // training.batch)
    half = training.batch // 2
    optimiser = torch.optim.Adam(networks.parameters(), lr=training.rate, fused=True)
    advance = progress("training the networks", training.epochs)
    for _ in range(training.epochs):
        for _ in range(steps):
            inputs = known[_drawn(sides, half, rng)]
            if strange is None:
                loss = _half_loss(networks(inputs)[1], half)
            else:
                loss = both_losses(networks, inputs, _of_both(known, strange, len(sides), half, rng), training)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        after_epoch(networks)
        advance(1)


def _drawn(sides: list[tuple[Integers, Integers]], half: int, rng: np.random.Generator) -> Tensor:
    """Rows of a batch a network: `half` that do not hold its keyword, then `half` that do."""
    rows = [np.concatenate([side[rng.integers(len(side), size=half)] for side in both]) for both in sides]
    return torch.from_numpy(np.stack(rows))


def _of_both(known: Tensor, strange: Tensor, networks: int, half: int, rng: np.random.Generator) -> Tensor:
    drawn = [each[torch.from_numpy(rng.integers(len(each), size=(networks, half)))] for each in (known, strange)]
    return torch.cat(drawn, dim=1)


def both_losses(networks: Networks, inputs: Tensor, mixed: Tensor, training: Training) -> Tensor:
    """The loss of the keywords on `inputs` and that of the domains on `mixed`, whose gradient is turned back."""
    half = training.batch // 2
    shared, logits = networks(torch.cat([inputs, mixed], dim=1))
    whose = networks.domain(reversed_gradient(shared[:, 2 * half :], training.reversal))
    return _half_loss(logits[:, : 2 * half], half) + _half_loss(whose, half)


def _half_loss(logits: Tensor, half: int) -> Tensor:
    """Cross-entropy where the first half of each batch is of class 0 and the rest of class 1, summed over networks."""
    truth = (torch.arange(2 * half) >= half).long().expand(len(logits), -1)
    return cross_entropy(logits.reshape(-1, 2), truth.reshape(-1)) * len(logits)
