"""Training of a dual encoder: each sentence picks the next one among the sentences of its batch (Equation 2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from vestige.encoders.dual.adversaries import SecretAdversary
from vestige.encoders.dual.network import DualNetwork
from vestige.encoders.dual.settings import AdversarySettings, RateDecay
from vestige.encoders.precision import has_bf16
from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.corpus import Corpus
from vestige.text.labels import read_labels
from vestige.types import Advance, Precision, TrainingLog

PLACES = 4096
WATCHED = 10
SLOW = 0.05


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
class AdamSettings:
    """How Adam descends: its rate, the largest norm of a gradient, the precision of the layers, and the adversaries."""

    rate: LearningRate
    clip: float | None
    precision: Precision
    against: AdversarySettings


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
    adversaries: Sequence[SecretAdversary] = ()


def train_network(
    network: DualNetwork,
    data: TrainingData,
    plan: BatchPlan,
    descent: AdamSettings,
    rng: np.random.Generator,
    advance: Advance,
) -> TrainingLog:
    """Fit the network and its adversaries in place, with Adam; the result says how the training ended."""
    optimizer = torch.optim.Adam(network.parameters())
    total = plan.epochs * plan.batches(data.chains)
    watcher = ConvergenceWatch(network, data, plan, total)
    for step, batch in enumerate(_draw_batches(data.chains, plan, rng), start=1):
        optimizer.param_groups[0]["lr"] = descent.rate.at(step, total)
        optimizer.zero_grad()
        rows = [row for run in batch for row in run]
        with autocast(descent.precision):
            vectors = network.vectors([data.texts[row] for row in rows], places=PLACES)
        penalties = [adversary.penalty(vectors, rows) for adversary in data.adversaries]
        share = descent.against.share(step, total)
        (next_sentence_loss(vectors, batch) + share * sum(penalties)).backward()
        if descent.clip is not None:
            torch.nn.utils.clip_grad_norm_(network.parameters(), descent.clip)
        optimizer.step()
        for adversary in data.adversaries:
            adversary.study(vectors, rows)
        watcher.watch(step)
        advance(1)
    return watcher.log()


def autocast(precision: Precision) -> torch.autocast:
    """bfloat16 in the layers, where it is asked for and fast; weights, means and the loss stay in float32."""
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=precision == "bf16" and has_bf16())


class ConvergenceWatch:
    """Watches what the encoder minimizes, without dropout, on a sample of the training sentences.

    It is measured ten times. The training has converged if the value fell by less than `SLOW` of its whole fall over
    the last tenth.
    """

    def __init__(self, network: DualNetwork, data: TrainingData, plan: BatchPlan, total: int) -> None:
        self.network, self.data, self.total = network, data, total
        self.epochs = plan.epochs
        self.batch = _sample_runs(data.chains, plan)
        self.steps = {round(total * part / WATCHED) for part in range(1, WATCHED + 1)}
        self.curve = [(0, self._measure())]

    def watch(self, step: int) -> None:
        """Measure after this step, if it is one of those."""
        if step in self.steps:
            self.curve.append((step, self._measure()))

    def log(self) -> TrainingLog:
        """How the training ended."""
        rule = (
            f"{self.epochs} epochs; converged if over the last tenth of the steps the loss falls by less than "
            f"{SLOW:.0%} of its whole fall"
        )
        first, before, last = self.curve[0][1], self.curve[max(len(self.curve) - 2, 0)][1], self.curve[-1][1]
        converged = len(self.curve) > 2 and last < first and before - last < SLOW * (first - last)
        return TrainingLog(rule, converged, self.total, tuple(self.curve))

    def _measure(self) -> float:
        training = self.network.training
        rows = [row for run in self.batch for row in run]
        with torch.no_grad():
            vectors = self.network.eval().vectors([self.data.texts[row] for row in rows], places=PLACES)
            penalties = [adversary.penalty(vectors, rows) for adversary in self.data.adversaries]
            value = torch.stack([next_sentence_loss(vectors, self.batch), *penalties]).sum()
        self.network.train(training)
        return float(value)


def _sample_runs(chains: Sequence[range], plan: BatchPlan) -> list[range]:
    """Runs of as many sentences as a batch, from evenly spaced documents."""
    count = max(2, plan.batch // plan.run)
    places = np.unique(np.linspace(0, len(chains) - 1, min(count, len(chains))).astype(int))
    return [chains[place][: plan.run] for place in places]


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


def read_column(sentences: Corpus, name: str) -> list[str | None]:
    """The labels of a column; raises unless it has two or more classes."""
    if not sentences.attributes:
        raise InputError(
            f"corpus '{sentences.name}' has texts and no column '{name}'; give a .csv, .jsonl or .parquet file with a "
            "label for each text"
        )
    if name not in sentences.attributes:
        raise InputError(f"corpus '{sentences.name}' has no column '{name}'; {nearest(name, [*sentences.attributes])}")
    column = read_labels(sentences.attributes[name])
    distinct = set() if column is None else {*column.labels} - {None}
    if column is None or len(distinct) < 2:
        content = "lists or records" if column is None else f"{len(distinct)} labels"
        raise InputError(f"column '{name}' of '{sentences.name}' holds {content}; expected two labels or more to hide")
    return column.labels


def find_chains(sentences: Corpus) -> list[range]:
    """The row numbers of each document that has two sentences or more."""
    grouped = [list(rows) for _, rows in groupby(range(len(sentences)), key=sentences.documents.__getitem__)]
    chains = [range(rows[0], rows[-1] + 1) for rows in grouped if len(rows) > 1]
    if not chains:
        raise InputError(
            f"corpus '{sentences.name}' has {len(sentences)} sentences in {len(grouped)} documents and no two in one; "
            "a dual encoder learns from consecutive sentences: give whole texts, or name the column that says which "
            "rows belong to one document"
        )
    return chains
