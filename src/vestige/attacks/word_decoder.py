"""The decoder that the attacks of Chen 2023 train: vector to words in two layers, the best epoch on held-out pairs."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from vestige.nn.stopping import LossWatch
from vestige.types import Integers, Progress, Singles, TrainingLog, Vectors, silent

_Network = TypeVar("_Network")

CPU = torch.device("cpu")
UNITS = 256
RATE, BATCH = 1e-4, 32
HELD_SHARE = 0.2
DEPTH = 5
PATIENCE = 200
"""Epochs without a better precision after which a training ends; the thesis has no rule."""


class WordDecoder(torch.nn.Module):
    """vector -> a layer of so many units -> one score per word."""

    def __init__(
        self, dimension: int, words: int, units: int = UNITS, activation: Callable[[Tensor], Tensor] = torch.relu
    ) -> None:
        super().__init__()
        self.activation = activation
        self.hidden = torch.nn.Linear(dimension, units)
        self.words = torch.nn.Linear(units, words)

    def forward(self, vectors: Tensor) -> Tensor:
        """From (n, dimension) to (n, words)."""
        scores: Tensor = self.words(self.features(vectors))
        return scores

    def features(self, vectors: Tensor) -> Tensor:
        """The output of the first layer."""
        return self.activation(self.hidden(vectors))

    @torch.no_grad()
    def scores(self, vectors: Vectors) -> Singles:
        """The scores of vectors under attack, wherever the decoder was trained."""
        found: Singles = self(torch.from_numpy(vectors).to(self.hidden.weight.device)).cpu().numpy()
        return found


def init_seeded(make: Callable[[], _Network], rng: np.random.Generator) -> _Network:
    """A network whose weights depend on `rng` alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        return make()


@dataclass(frozen=True)
class WeighedPairs:
    """Vectors with word weights, shuffled once; the first `train` rows are learned from, the others are held out."""

    vectors: Tensor
    weights: Tensor
    train: int

    @classmethod
    def build(
        cls,
        vectors: Vectors,
        weights: sparse.csr_array,
        rng: np.random.Generator,
        held: tuple[Vectors, sparse.csr_array] | None = None,
        device: torch.device = CPU,
    ) -> "WeighedPairs":
        """Shuffle, and hold out a fifth; with `held`, learn from all and hold these out."""
        order = rng.permutation(len(vectors))
        train = len(vectors) - max(1, round(HELD_SHARE * len(vectors)))
        known, words = torch.from_numpy(vectors[order]), to_dense(weights, order)
        if held is None:
            return cls(known.to(device), words.to(device), train)
        others, theirs = torch.from_numpy(held[0]), to_dense(held[1], np.arange(len(held[0])))
        return cls(torch.cat([known, others]).to(device), torch.cat([words, theirs]).to(device), len(vectors))

    @property
    def device(self) -> torch.device:
        """Where they are, and where networks learn from them."""
        return self.vectors.device

    def batch(self, rows: Integers) -> tuple[Tensor, Tensor]:
        """Vectors and weights of these rows."""
        return self.vectors[rows], self.weights[rows]

    def batches(self, rng: np.random.Generator) -> Iterator[Integers]:
        """The rows that are not held out, in a new order."""
        order = rng.permutation(self.train)
        return (order[start : start + BATCH] for start in range(0, self.train, BATCH))

    @torch.no_grad()
    def precision(self, decoder: WordDecoder) -> float:
        """The share of the first five words that the held-out documents contain."""
        vectors, weights = self.vectors[self.train :], self.weights[self.train :]
        best = decoder(vectors).topk(min(DEPTH, weights.shape[1]), dim=1).indices
        return float((weights.gather(1, best) > 0).float().mean())


def to_dense(weights: sparse.csr_array, rows: Integers) -> Tensor:
    """The weights of these rows as a dense table."""
    return torch.from_numpy(weights[rows].toarray().astype(np.float32))


def take_step(optimiser: torch.optim.Optimizer, loss: Tensor) -> None:
    """One gradient step."""
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()


def train_best_epoch(
    decoder: WordDecoder,
    pairs: WeighedPairs,
    epoch: Callable[[], None],
    epochs: int,
    *,
    patience: int | None = PATIENCE,
    progress: Progress = silent,
) -> TrainingLog:
    """Leave the decoder as it was after the epoch with the best precision on held-out pairs.

    The training ends once that precision has not risen for `patience` epochs, or after so many; only the former is
    convergence, since a precision that is cut off is seldom best in its last epochs. Without a patience the epochs are
    those of a paper, and the rule is that of `LossWatch`. The record has what is missing to a precision of 1 after each
    epoch.
    """
    watch = LossWatch(epochs, patience, of=f"gap of Precision@{DEPTH} on held-out pairs to 1")
    advance = progress("training the decoder", epochs)
    best, state, over = -1.0, deepcopy(decoder.state_dict()), False
    while not over:
        epoch()
        precision = pairs.precision(decoder)
        if precision > best:
            best, state = precision, deepcopy(decoder.state_dict())
        over = watch.update(1 - precision)
        advance(1)
    decoder.load_state_dict(state)
    log, used = watch.log(), f"the best epoch is used; the curve is 1 - Precision@{DEPTH}"
    if patience is None:
        return replace(log, rule=f"{log.rule}; {used}")
    rule = (
        f"until Precision@{DEPTH} on {len(pairs.vectors) - pairs.train} held-out pairs has not risen for {patience} "
        f"epochs, at most {epochs}; converged if it ended so; {used}"
    )
    return replace(log, rule=rule, converged=watch.ended_by_patience)
