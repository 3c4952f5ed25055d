"""Training of a dual encoder: each sentence picks the next one among the sentences of its batch (Equation 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from vestige.encoders.dual.adversaries import AdversarialLoss
from vestige.encoders.dual.network import DualNetwork
from vestige.encoders.dual.settings import RateDecay
from vestige.encoders.precision import has_bf16
from vestige.types import Advance

PLACES = 4096
ADVERSARY_RATE = 1e-2


@dataclass(frozen=True)
class LearningRate:
    """A learning rate that rises for `warm_up` steps, then stays, decays as 1/sqrt(step), or decays linearly to 0."""

    peak: float
    warm_up: int
    decline: RateDecay

    def at(self, step: int, total: int) -> float:
        """The rate of a step, counted from 1."""
        if step <= self.warm_up:
            return self.peak * step / self.warm_up
        if self.decline == "root":
            return self.peak * float(np.sqrt(max(self.warm_up, 1) / step))
        if self.decline == "line":
            return self.peak * (total - step + 1) / (total - self.warm_up)
        return self.peak


@dataclass(frozen=True)
class BatchPlan:
    """The number of epochs, of sentences per step, and of consecutive sentences of one document in a batch."""

    epochs: int
    batch: int
    run: int

    def batches(self, chains: Sequence[range]) -> int:
        """Steps in an epoch."""
        return max(1, sum(map(len, chains)) // max(self.batch, self.run + 1))


@dataclass(frozen=True)
class TrainingData:
    """Texts as lists of word ids; chains, the consecutive row numbers of each document; and the adversaries."""

    texts: Sequence[Sequence[int]]
    chains: Sequence[range]
    adversaries: Sequence[AdversarialLoss] = ()


def train_network(
    network: DualNetwork,
    data: TrainingData,
    plan: BatchPlan,
    rate: LearningRate,
    rng: np.random.Generator,
    advance: Advance,
) -> None:
    """Fit the network and its adversaries in place, with Adam."""
    optimizer = torch.optim.Adam(network.parameters())
    if weights := [weight for adversary in data.adversaries for weight in adversary.parameters()]:
        optimizer.add_param_group({"params": weights, "lr": ADVERSARY_RATE})
    total = plan.epochs * plan.batches(data.chains)
    for step, batch in enumerate(_draw_batches(data.chains, plan, rng), start=1):
        optimizer.param_groups[0]["lr"] = rate.at(step, total)
        optimizer.zero_grad()
        rows = [row for run in batch for row in run]
        # bfloat16 is faster if the processor has it; weights, means and the loss stay in float32.
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=has_bf16()):
            vectors = network.vectors([data.texts[row] for row in rows], places=PLACES)
            adversarial = [adversary.loss(vectors, rows) for adversary in data.adversaries]
        torch.stack([next_sentence_loss(vectors, batch), *adversarial]).sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        advance(1)


def next_sentence_loss(vectors: Tensor, runs: Sequence[range]) -> Tensor:
    """The negative logarithm of Equation 2, averaged over all rows but the last of each run; the next row is positive.

    Rows are the sentences of all runs, one run after another. Negatives are the rows of other runs: the paper draws
    them from outside the context, and nearby sentences are context. There is no temperature, and no scaling to unit
    length.
    """
    owner = torch.repeat_interleave(torch.arange(len(runs)), torch.tensor([len(run) for run in runs]))
    anchors = _have_next(runs)
    excluded = owner[:, None] == owner[None, :]
    excluded[anchors, anchors + 1] = False
    products = vectors @ vectors.T
    return cross_entropy(products.masked_fill(excluded, -torch.inf)[anchors], anchors + 1)


def _have_next(runs: Sequence[range]) -> Tensor:
    """The positions of the sentences that are not the last of their run, one run after another."""
    ends = np.cumsum([len(run) for run in runs])
    return torch.from_numpy(np.delete(np.arange(ends[-1]), ends - 1))


def _draw_batches(chains: Sequence[range], plan: BatchPlan, rng: np.random.Generator) -> Iterator[list[range]]:
    count = plan.batches(chains)
    for _ in range(plan.epochs):
        runs = [run for chain in chains for run in _split_chain(chain, plan.run, rng)]
        for places in np.array_split(rng.permutation(len(runs)), count):
            yield [runs[place] for place in places]


def _split_chain(chain: range, size: int, rng: np.random.Generator) -> list[range]:
    # Split differently in every epoch, so that no pair of neighbours stays separated. A run has at least 2 sentences.
    first = int(rng.integers(2, size + 1))
    bounds = [0, *range(first, len(chain) - 1, size), len(chain)]
    return [chain[start:stop] for start, stop in pairwise(bounds)]
