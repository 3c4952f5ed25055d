"""How a dual encoder learns: each sentence picks the one after it from among the sentences of its batch (Eq. 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from vestige.encoders.dual.choices import Decline
from vestige.encoders.dual.network import DualNetwork
from vestige.encoders.dual.opponents import Opponent
from vestige.encoders.precision import has_bf16
from vestige.types import Advance

PLACES = 4096
OPPONENT_RATE = 1e-2


@dataclass(frozen=True)
class Schedule:
    """The learning rate rises for `warm_up` steps, then stays, falls as 1/root(step), or in a line to nothing."""

    peak: float
    warm_up: int
    decline: Decline

    def rate(self, step: int, total: int) -> float:
        """The rate of a step, counted from 1."""
        if step <= self.warm_up:
            return self.peak * step / self.warm_up
        if self.decline == "root":
            return self.peak * float(np.sqrt(max(self.warm_up, 1) / step))
        if self.decline == "line":
            return self.peak * (total - step + 1) / (total - self.warm_up)
        return self.peak


@dataclass(frozen=True)
class Drill:
    """How often the sentences are gone through, how many at a step, and how many of one document stand together."""

    epochs: int
    batch: int
    run: int

    def batches(self, chains: Sequence[range]) -> int:
        """Steps in an epoch."""
        return max(1, sum(map(len, chains)) // max(self.batch, self.run + 1))


@dataclass(frozen=True)
class Material:
    """Texts as rows of words; chains, each the numbers of the texts of one document, in order; and whom to oppose."""

    texts: Sequence[Sequence[int]]
    chains: Sequence[range]
    opponents: Sequence[Opponent] = ()


def train(
    network: DualNetwork,
    material: Material,
    drill: Drill,
    schedule: Schedule,
    rng: np.random.Generator,
    advance: Advance,
) -> None:
    """Fit the network in place, with Adam, and with it those it is trained against."""
    optimizer = torch.optim.Adam(network.parameters())
    if learners := [weight for opponent in material.opponents for weight in opponent.parameters()]:
        optimizer.add_param_group({"params": learners, "lr": OPPONENT_RATE})
    total = drill.epochs * drill.batches(material.chains)
    for step, batch in enumerate(_all_batches(material.chains, drill, rng), start=1):
        optimizer.param_groups[0]["lr"] = schedule.rate(step, total)
        optimizer.zero_grad()
        rows = [row for run in batch for row in run]
        # Half the bits is faster where the processor has bfloat16; weights, means and the loss keep all of theirs.
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=has_bf16()):
            vectors = network.vectors([material.texts[row] for row in rows], places=PLACES)
            opposed = [opponent.loss(vectors, rows) for opponent in material.opponents]
        torch.stack([next_sentence_loss(vectors, batch), *opposed]).sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        advance(1)


def next_sentence_loss(vectors: Tensor, runs: Sequence[range]) -> Tensor:
    """Minus the log of Eq. 2, averaged over all rows but the last of each run; the row after is the answer.

    Rows are the sentences of the runs, laid end to end. Negatives are the rows of other runs: the paper draws them from
    outside the context, and sentences near by are context. No temperature, no unit length.
    """
    owner = torch.repeat_interleave(torch.arange(len(runs)), torch.tensor([len(run) for run in runs]))
    asked = _followed(runs)
    barred = owner[:, None] == owner[None, :]
    barred[asked, asked + 1] = False
    products = vectors @ vectors.T
    return cross_entropy(products.masked_fill(barred, -torch.inf)[asked], asked + 1)


def _followed(runs: Sequence[range]) -> Tensor:
    """The places of the sentences that are not the last of their run, runs laid end to end."""
    ends = np.cumsum([len(run) for run in runs])
    return torch.from_numpy(np.delete(np.arange(ends[-1]), ends - 1))


def _all_batches(chains: Sequence[range], drill: Drill, rng: np.random.Generator) -> Iterator[list[range]]:
    count = drill.batches(chains)
    for _ in range(drill.epochs):
        runs = [run for chain in chains for run in _cut(chain, drill.run, rng)]
        for places in np.array_split(rng.permutation(len(runs)), count):
            yield [runs[place] for place in places]


def _cut(chain: range, size: int, rng: np.random.Generator) -> list[range]:
    # Cut elsewhere in every epoch, so that no pair of neighbours stays parted. A document is never cut to less than 2.
    first = int(rng.integers(2, size + 1))
    bounds = [0, *range(first, len(chain) - 1, size), len(chain)]
    return [chain[start:stop] for start, stop in pairwise(bounds)]
