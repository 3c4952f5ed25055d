"""Adversarial representation retrieval (C4): a feature extractor, a domain classifier and a decoder of words."""

from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

from vestige.attacks.surrogate.adversarial import told_apart
from vestige.attacks.surrogate.carrying import Carry
from vestige.attacks.surrogate.knowledge import Knowledge
from vestige.attacks.word_decoder import BATCH, RATE, Decoder, Pairs, dense, descend, drawn, keep_best
from vestige.nn.gradient_reversal import reversed_gradient
from vestige.nn.listnet import listnet
from vestige.types import Floats, Progress, Singles

Objective = Callable[[Tensor, Tensor], Tensor]


def presence(scores: Tensor, weights: Tensor) -> Tensor:
    """Binary cross-entropy: is the word there?"""
    return binary_cross_entropy_with_logits(scores, (weights > 0).float())


LOSSES: dict[str, Objective] = {"listnet": listnet, "mse": mse_loss, "bce": presence}


class Retriever:
    """What is left of the networks once they have learned: private vectors to words."""

    def __init__(self, decoder: Decoder) -> None:
        self.decoder = decoder

    @torch.no_grad()
    def chances(self, vectors: Singles) -> Floats:
        """The softmax of the scores: the chance of each word to be ranked first."""
        found: Floats = self.decoder(torch.from_numpy(vectors)).double().softmax(dim=1).numpy()
        return found


def retrieval(
    known: Knowledge,
    carry: Carry,
    objective: str,
    domain_weight: float,
    steps: int,
    rng: np.random.Generator,
    progress: Progress,
) -> Retriever:
    """Algorithm 2, lines 12 to 21: batches of queried pairs, each with one of external texts where there are any.

    The domain classifier tells the private vectors from the extracted ones; its gradient reaches the extractor turned
    back, `domain_weight` times; without that weight both are left out (Section 5.0.6.4). The best epoch is chosen as
    the rivals choose theirs, on a fifth of the pairs.
    """
    width = known.targets.shape[1]
    pairs = Pairs.of(known.answers, known.pool.weights[known.queried], rng)
    extractor, domain, decoder = (
        drawn(partial(Decoder, width, outputs), rng) for outputs in (width, 1, known.pool.weights.shape[1])
    )
    loss_of = LOSSES[objective]
    weights = [*extractor.parameters(), *domain.parameters(), *decoder.parameters()]
    optimiser = torch.optim.Adam(weights, lr=RATE, fused=True)
    public = torch.from_numpy(carry(known.external.vectors))

    def epoch() -> None:
        for rows in pairs.batches(rng):
            private, matters = pairs.batch(rows)
            loss = loss_of(decoder(private), matters)
            if len(public):
                others = rng.integers(len(public), size=BATCH)
                found = extractor(public[others]) if domain_weight else public[others]
                loss = loss + loss_of(decoder(found), dense(known.external.weights, others))
                if domain_weight:
                    loss = loss + told_apart(domain, private, reversed_gradient(found, domain_weight))
            descend(optimiser, loss)

    keep_best(decoder, pairs, epoch, max(1, steps // -(-pairs.kept // BATCH)), progress=progress)
    return Retriever(decoder)
