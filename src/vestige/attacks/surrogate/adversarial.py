"""The surrogate made to look like the private encoder (C3, Equation 4.8): an algorithm classifier cannot tell them."""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from vestige.attacks.surrogate.carrying import Carry
from vestige.nn.gradient_reversal import reversed_gradient
from vestige.types import Progress, Singles

RATE, BATCH, UNITS = 1e-4, 32, 256


def by_adversary(seen: Singles, answers: Singles, steps: int, rng: np.random.Generator, progress: Progress) -> Carry:
    """A linear layer behind the surrogate, begun as the identity, against a classifier with one hidden layer.

    The objective never asks that a document go where the private encoder puts it, only that all of them together look
    alike: pairs are not used as pairs.
    """
    layer = torch.nn.Linear(seen.shape[1], answers.shape[1])
    torch.nn.init.eye_(layer.weight)
    torch.nn.init.zeros_(layer.bias)
    classifier = seeded(lambda: two_layers(answers.shape[1], 1), rng)
    optimiser = torch.optim.Adam([*layer.parameters(), *classifier.parameters()], lr=RATE, fused=True)
    inputs, private = torch.from_numpy(seen), torch.from_numpy(answers)
    advance = progress("adapting the surrogate", steps)
    for rows in batches(len(seen), steps, rng):
        loss = told_apart(classifier, private[rows], reversed_gradient(layer(inputs[rows]), 1.0))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        advance(1)

    @torch.no_grad()
    def carry(vectors: Singles) -> Singles:
        found: Singles = layer(torch.from_numpy(vectors)).numpy()
        return found

    return carry


def batches(count: int, steps: int, rng: np.random.Generator) -> Iterator[Tensor]:
    """So many batches of row numbers, every row before any comes again; empty ones where there is no row."""
    rounds = -(-steps * BATCH // max(count, 1))
    rows = np.concatenate([rng.permutation(count) for _ in range(rounds)])[: steps * BATCH]
    return iter(torch.from_numpy(rows).split(BATCH) if count else [torch.empty(0, dtype=torch.long)] * steps)


def told_apart(classifier: torch.nn.Module, ones: Tensor, others: Tensor) -> Tensor:
    """How badly the classifier tells the ones from the others."""
    first, second = classifier(ones), classifier(others)
    return cross_entropy(first, torch.ones_like(first)) + cross_entropy(second, torch.zeros_like(second))


def seeded(make: Callable[[], torch.nn.Module], rng: np.random.Generator) -> torch.nn.Module:
    """A module whose weights are drawn by `rng` alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        return make()


def two_layers(inputs: int, outputs: int) -> torch.nn.Module:
    """One hidden layer."""
    return torch.nn.Sequential(torch.nn.Linear(inputs, UNITS), torch.nn.ReLU(), torch.nn.Linear(UNITS, outputs))
