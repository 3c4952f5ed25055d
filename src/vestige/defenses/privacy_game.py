"""The game of a privacy-preserving mapping and its adversary, who learn by turns."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import Linear, Module, ReLU, Sequential, Sigmoid
from torch.nn.functional import cross_entropy
from torch.optim import Adam, Optimizer

from vestige.types import Integers, Singles, Vectors

UNITS = 200
BATCH = 64
OFTEN = 5
"""Updates of one player for each of the other's."""
AHEAD = 200
"""Updates of the adversary before the mapping begins, by our rules."""


@dataclass(frozen=True)
class Rules:
    """`published` are those of Pan et al."""

    fidelity: float
    rounds: int
    rate: float
    published: bool


def played(rules: Rules, vectors: Vectors, concepts: Integers, rng: np.random.Generator) -> list[Singles]:
    """The weights and biases of the mapping's two layers, after all rounds."""
    rows, truth = torch.from_numpy(vectors), torch.from_numpy(concepts)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        game = _Game(rules, rows.shape[1], truth)
    adversary = Adam(game.adversary.parameters(), lr=rules.rate)
    mapping = Adam(game.mapping.parameters(), lr=rules.rate if rules.published else rules.rate / OFTEN)

    def learn(loss: Callable[[Tensor, Tensor], Tensor], optimiser: Optimizer, times: int) -> None:
        for _ in range(times):
            drawn = torch.from_numpy(rng.integers(len(rows), size=BATCH))
            optimiser.zero_grad()
            loss(rows[drawn], truth[drawn]).backward()
            optimiser.step()

    if not rules.published:
        learn(game.loss_of_adversary, adversary, AHEAD)
    for _ in range(rules.rounds):
        learn(game.loss_of_adversary, adversary, 1 if rules.published else OFTEN)
        learn(game.loss_of_mapping, mapping, OFTEN if rules.published else 1)
    return [part.detach().numpy().copy() for part in game.mapping.parameters()]


class _Game:
    """Both networks, and what each of them wants."""

    def __init__(self, rules: Rules, dimension: int, truth: Tensor) -> None:
        self.rules = rules
        self.priors = [torch.bincount(column) / len(column) for column in truth.T]
        self.sizes = [len(prior) for prior in self.priors]
        last = Linear(UNITS, dimension)
        if not rules.published:
            torch.nn.init.zeros_(last.weight)
            torch.nn.init.zeros_(last.bias)
        self.mapping: Module = Sequential(Linear(dimension, UNITS), ReLU(), last)
        self.adversary: Module = Sequential(Linear(dimension, UNITS), Sigmoid(), Linear(UNITS, sum(self.sizes)))

    def loss_of_adversary(self, batch: Tensor, truth: Tensor) -> Tensor:
        """The adversary wants the labels."""
        return self._entropy(self._moved(batch).detach(), list(truth.T))

    def loss_of_mapping(self, batch: Tensor, truth: Tensor) -> Tensor:
        """The mapping wants the adversary wrong, or by our rules as wise as without vectors, and vectors in place."""
        moved = self._moved(batch)
        distance: Tensor
        if self.rules.published:
            told = -self._entropy(moved, list(truth.T))
            distance = torch.linalg.vector_norm(moved - batch, dim=1).mean()
        else:
            told = self._entropy(moved, [prior.expand(len(batch), -1) for prior in self.priors])
            distance = (moved - batch).square().mean()
        return told + self.rules.fidelity * distance

    def _moved(self, batch: Tensor) -> Tensor:
        """What the mapping makes of vectors."""
        found: Tensor = self.mapping(batch)
        return found if self.rules.published else batch + found

    def _entropy(self, moved: Tensor, wanted: list[Tensor]) -> Tensor:
        """The cross-entropy of the adversary's guesses, summed over concepts."""
        found: Tensor = self.adversary(moved)
        guesses = found.split(self.sizes, dim=1)
        return torch.stack([cross_entropy(guess, want) for guess, want in zip(guesses, wanted, strict=True)]).sum()
