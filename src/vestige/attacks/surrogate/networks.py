"""The published networks: adversarial adaptation of the surrogate, and adversarial representation retrieval."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from vestige.attacks.surrogate.adaptation import VectorMap
from vestige.attacks.surrogate.queried_pool import QueriedPool
from vestige.attacks.surrogate.selection import pad_columns
from vestige.attacks.word_decoder import (
    BATCH,
    CPU,
    RATE,
    WeighedPairs,
    WordDecoder,
    init_seeded,
    take_step,
    to_dense,
    train_best_epoch,
)
from vestige.nn.gradient_reversal import reverse_gradient
from vestige.nn.listnet import listnet
from vestige.types import Floats, Progress, Singles, TrainableEncoder, TrainingLog

Objective = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class RetrieverTraining:
    """The objective, the weight of the domain classifier (alpha), the number of steps, and where they are taken."""

    objective: str = "listnet"
    domain_weight: float = 10.0
    steps: int = 3000
    device: torch.device = CPU


def presence(scores: Tensor, weights: Tensor) -> Tensor:
    """Binary cross-entropy: does the document contain the word?"""
    return binary_cross_entropy_with_logits(scores, (weights > 0).float())


LOSSES: dict[str, Objective] = {"listnet": listnet, "mse": mse_loss, "bce": presence}


class Retriever:
    """The trained decoder: private vectors to words."""

    def __init__(self, decoder: WordDecoder, log: TrainingLog) -> None:
        self.decoder = decoder
        self.log = log

    @torch.no_grad()
    def chances(self, vectors: Singles) -> Floats:
        """The softmax of the scores: the probability of each word to be ranked first."""
        found: Floats = torch.from_numpy(self.decoder.scores(vectors)).double().softmax(dim=1).numpy()
        return found


def train_retriever(
    known: QueriedPool,
    to_private: VectorMap,
    training: RetrieverTraining,
    rng: np.random.Generator,
    progress: Progress,
) -> Retriever:
    """Chen 2023, Algorithm 2, lines 12 to 21: batches of queried pairs, each with one of external texts, if any.

    The domain classifier separates the private vectors from the extracted ones; its gradient reaches the extractor
    reversed, times its weight; without that weight there is neither (Section 5.0.6.4). The best epoch is chosen as
    the baselines choose theirs: on the `validation` pairs, or without any on a fifth of the queried ones.
    """
    width = known.targets.shape[1]
    further = known.validation
    held = (further.vectors, further.weights) if len(further) else None
    pairs = WeighedPairs.build(known.answers, known.pool.weights[known.queried], rng, held, training.device)
    extractor, domain, decoder = (
        init_seeded(partial(WordDecoder, width, outputs), rng).to(training.device)
        for outputs in (width, 1, known.pool.weights.shape[1])
    )
    loss_of, domain_weight = LOSSES[training.objective], training.domain_weight
    weights = [*extractor.parameters(), *domain.parameters(), *decoder.parameters()]
    optimiser = torch.optim.Adam(weights, lr=RATE, fused=True)
    public = torch.from_numpy(to_private(known.external.vectors)).to(training.device)

    def epoch() -> None:
        for rows in pairs.batches(rng):
            private, matters = pairs.batch(rows)
            if not len(public):
                take_step(optimiser, loss_of(decoder(private), matters))
                continue
            others = rng.integers(len(public), size=BATCH)
            found = extractor(public[others]) if domain_weight else public[others]
            theirs = to_dense(known.external.weights, others).to(training.device)
            # Together, since the decoder's weights, read once, are the largest part of a step.
            ranked, public_ranked = decoder(torch.cat([private, found])).split([len(private), BATCH])
            loss = loss_of(ranked, matters) + loss_of(public_ranked, theirs)
            if domain_weight:
                loss = loss + discrimination_loss(domain, private, reverse_gradient(found, domain_weight))
            take_step(optimiser, loss)

    epochs = max(1, training.steps // -(-pairs.train // BATCH))
    return Retriever(decoder, train_best_epoch(decoder, pairs, epoch, epochs, progress=progress))


def fit_adversarial_map(
    seen: Singles,
    answers: Singles,
    steps: int,
    rng: np.random.Generator,
    progress: Progress,
    device: torch.device = CPU,
) -> VectorMap:
    """A linear layer on top of the surrogate, from the identity, against a classifier with one hidden layer (Eq. 4.8).

    The classifier is to separate the surrogate's vectors from the private encoder's. The objective never requires that
    a document go where the private encoder puts it, only that all of them together look alike: pairs are not used as
    pairs.
    """
    layer = torch.nn.Linear(seen.shape[1], answers.shape[1], device=device)
    torch.nn.init.eye_(layer.weight)
    torch.nn.init.zeros_(layer.bias)
    classifier = init_seeded(lambda: WordDecoder(answers.shape[1], 1), rng).to(device)
    optimiser = torch.optim.Adam([*layer.parameters(), *classifier.parameters()], lr=RATE, fused=True)
    inputs, private = torch.from_numpy(seen).to(device), torch.from_numpy(answers).to(device)
    advance = progress("adapting the surrogate", steps)
    for rows in draw_batches(len(seen), steps, rng):
        take_step(optimiser, discrimination_loss(classifier, private[rows], reverse_gradient(layer(inputs[rows]), 1.0)))
        advance(1)

    @torch.no_grad()
    def to_private(vectors: Singles) -> Singles:
        found: Singles = layer(torch.from_numpy(vectors).to(device)).cpu().numpy()
        return found

    return to_private


def fine_tune_surrogate(
    surrogate: TrainableEncoder,
    texts: Sequence[str],
    answers: Singles,
    steps: int,
    rng: np.random.Generator,
    progress: Progress,
) -> None:
    """Equation 4.8 as written: the surrogate's own weights are trained against the classifier of encoders.

    `answers` are the private encoder's vectors of the texts, scaled like the surrogate's; the narrower of both is
    padded with zeros.
    """
    width = max(surrogate.dimension, answers.shape[1])
    classifier = init_seeded(lambda: WordDecoder(width, 1), rng)
    optimiser = torch.optim.Adam([*surrogate.parameters(), *classifier.parameters()], lr=RATE)
    private = torch.from_numpy(pad_columns(answers, width))
    advance = progress("fine-tuning the surrogate", steps)
    for rows in draw_batches(len(texts), steps, rng):
        found = surrogate.forward([texts[row] for row in rows.tolist()])
        own = torch.nn.functional.pad(found, (0, width - found.shape[1]))
        take_step(optimiser, discrimination_loss(classifier, private[rows], reverse_gradient(own, 1.0)))
        advance(1)


def discrimination_loss(classifier: torch.nn.Module, ones: Tensor, others: Tensor) -> Tensor:
    """The cross-entropy of a classifier that separates the ones from the others."""
    first, second = classifier(ones), classifier(others)
    return cross_entropy(first, torch.ones_like(first)) + cross_entropy(second, torch.zeros_like(second))


def draw_batches(count: int, steps: int, rng: np.random.Generator) -> Iterator[Tensor]:
    """So many batches of row numbers; every row comes up before any comes up again."""
    rounds = -(-steps * BATCH // count)
    rows = np.concatenate([rng.permutation(count) for _ in range(rounds)])[: steps * BATCH]
    return iter(torch.from_numpy(rows).split(BATCH))
