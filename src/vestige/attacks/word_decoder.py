"""The decoder that the attacks of Chen 2023 train: vector to words in two layers, the best epoch on held-out pairs."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from vestige.types import Integers, Progress, Singles, Vectors, silent

_Network = TypeVar("_Network")

UNITS = 256
RATE, BATCH = 1e-4, 32
HELD_SHARE = 0.2
DEPTH = 5


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
    """Vectors with word weights, shuffled once; the first `train` rows are learned from, the last fifth is held out."""

    vectors: Tensor
    weights: Tensor
    train: int

    @classmethod
    def build(cls, vectors: Vectors, weights: sparse.csr_array, rng: np.random.Generator) -> "WeighedPairs":
        """Shuffle, and hold out a fifth."""
        order = rng.permutation(len(vectors))
        train = len(vectors) - max(1, round(HELD_SHARE * len(vectors)))
        return cls(torch.from_numpy(vectors[order]), to_dense(weights, order), train)

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
    decoder: WordDecoder, pairs: WeighedPairs, epoch: Callable[[], None], epochs: int, *, progress: Progress = silent
) -> None:
    """Run so many epochs, and leave the decoder as it was after the one with the best precision on held-out pairs."""
    advance = progress("training the decoder", epochs)
    best, state = -1.0, deepcopy(decoder.state_dict())
    for _ in range(epochs):
        epoch()
        precision = pairs.precision(decoder)
        if precision > best:
            best, state = precision, deepcopy(decoder.state_dict())
        advance(1)
    decoder.load_state_dict(state)
