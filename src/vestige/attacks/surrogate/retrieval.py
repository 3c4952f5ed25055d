"""Adversarial representation retrieval (C4): a feature extractor, a domain classifier and a decoder of words."""

from collections.abc import Callable

import numpy as np
import torch
from scipy import sparse
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

from vestige.attacks.surrogate.adversarial import RATE, batches, seeded, told_apart, two_layers
from vestige.attacks.surrogate.carrying import Carry
from vestige.attacks.surrogate.knowledge import Knowledge
from vestige.nn.gradient_reversal import reversed_gradient
from vestige.nn.listnet import listnet
from vestige.types import Floats, Progress, Singles

Objective = Callable[[Tensor, Tensor], Tensor]


def presence(scores: Tensor, weights: Tensor) -> Tensor:
    """Binary cross-entropy: is the word there?"""
    return binary_cross_entropy_with_logits(scores, (weights > 0).float())


LOSSES: dict[str, Objective] = {"listnet": listnet, "mse": mse_loss, "bce": presence}


class Decoder:
    """What is left of the networks once they have learned: private vectors to words."""

    def __init__(self, network: torch.nn.Module) -> None:
        self.network = network

    @torch.no_grad()
    def chances(self, vectors: Singles) -> Floats:
        """The softmax of the scores: the chance of each word to be ranked first."""
        found: Floats = self.network(torch.from_numpy(vectors)).double().softmax(dim=1).numpy()
        return found


def retrieval(
    known: Knowledge,
    carry: Carry,
    objective: str,
    domain_weight: float,
    steps: int,
    rng: np.random.Generator,
    progress: Progress,
) -> Decoder:
    """Algorithm 2, lines 12 to 21: batches of queried pairs, each with one of external texts where there are any.

    The domain classifier tells the private vectors from the extracted ones; its gradient reaches the extractor turned
    back, `domain_weight` times.
    """
    width = known.targets.shape[1]
    extractor, domain, decoder = (
        seeded(make, rng)
        for make in (
            lambda: two_layers(width, width),
            lambda: two_layers(width, 1),
            lambda: two_layers(width, known.pool.weights.shape[1]),
        )
    )
    loss_of = LOSSES[objective]
    weights = [*extractor.parameters(), *domain.parameters(), *decoder.parameters()]
    optimiser = torch.optim.Adam(weights, lr=RATE, fused=True)
    private, matters = torch.from_numpy(known.answers), known.pool.weights[known.queried]
    public = torch.from_numpy(carry(known.external.vectors))
    advance = progress("training the decoder", steps)
    for rows, others in zip(batches(len(private), steps, rng), batches(len(public), steps, rng), strict=True):
        loss = loss_of(decoder(private[rows]), _dense(matters, rows))
        if len(public):
            found = extractor(public[others])
            loss = loss + loss_of(decoder(found), _dense(known.external.weights, others))
            if domain_weight:
                loss = loss + told_apart(domain, private[rows], reversed_gradient(found, domain_weight))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        advance(1)
    return Decoder(decoder)


def _dense(table: sparse.csr_array, rows: Tensor) -> Tensor:
    return torch.from_numpy(table[rows.numpy()].toarray().astype(np.float32))
