"""The surrogate made to look like the private encoder (C3, Equation 4.8): an algorithm classifier cannot tell them."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from vestige.attacks.surrogate.carrying import Carry
from vestige.attacks.word_decoder import BATCH, RATE, Decoder, descend, drawn
from vestige.nn.gradient_reversal import reversed_gradient
from vestige.types import Progress, Singles


def by_adversary(seen: Singles, answers: Singles, steps: int, rng: np.random.Generator, progress: Progress) -> Carry:
    """A linear layer behind the surrogate, begun as the identity, against a classifier with one hidden layer.

    The objective never asks that a document go where the private encoder puts it, only that all of them together look
    alike: pairs are not used as pairs.
    """
    layer = torch.nn.Linear(seen.shape[1], answers.shape[1])
    torch.nn.init.eye_(layer.weight)
    torch.nn.init.zeros_(layer.bias)
    classifier = drawn(lambda: Decoder(answers.shape[1], 1), rng)
    optimiser = torch.optim.Adam([*layer.parameters(), *classifier.parameters()], lr=RATE, fused=True)
    inputs, private = torch.from_numpy(seen), torch.from_numpy(answers)
    advance = progress("adapting the surrogate", steps)
    for rows in batches(len(seen), steps, rng):
        descend(optimiser, told_apart(classifier, private[rows], reversed_gradient(layer(inputs[rows]), 1.0)))
        advance(1)

    @torch.no_grad()
    def carry(vectors: Singles) -> Singles:
        found: Singles = layer(torch.from_numpy(vectors)).numpy()
        return found

    return carry


def batches(count: int, steps: int, rng: np.random.Generator) -> Iterator[Tensor]:
    """So many batches of row numbers, every row before any comes again."""
    rounds = -(-steps * BATCH // count)
    rows = np.concatenate([rng.permutation(count) for _ in range(rounds)])[: steps * BATCH]
    return iter(torch.from_numpy(rows).split(BATCH))


def told_apart(classifier: torch.nn.Module, ones: Tensor, others: Tensor) -> Tensor:
    """How badly the classifier tells the ones from the others."""
    first, second = classifier(ones), classifier(others)
    return cross_entropy(first, torch.ones_like(first)) + cross_entropy(second, torch.zeros_like(second))
