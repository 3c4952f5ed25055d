"""What a descent on words starts from: the candidates of each target, and Z before the first step."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vestige.attacks.word_mixture import WordMixture
from vestige.types import Integers, Singles, Vectors

if TYPE_CHECKING:
    from torch import Tensor

CANDIDATES = 60
STRENGTH = 0.9
FLATTENED, ASSIGNED, NOISE = 0.3, 4.0, 0.1
PUBLISHED_NOISE = 0.01

Likely = tuple[Integers, Singles]
"""The candidates of one target, by place in the dictionary, and their log odds."""


class SoftWords(Protocol):
    """Where a descent may go, and where it starts."""

    def likely(self, vectors: Vectors) -> Iterator[Likely]:
        """The candidates of each target, likeliest first."""

    def start(self, log_odds: Singles, length: int) -> "Tensor":
        """Z before the first step, (length, candidates)."""


@dataclass(frozen=True)
class AllAlike:
    """The published start: every piece of the vocabulary, none likelier than another, and noise, which is ours."""

    pieces: int
    seed: int

    def likely(self, vectors: Vectors) -> Iterator[Likely]:
        """All pieces for every target."""
        return iter([(np.arange(self.pieces), np.zeros(self.pieces, np.float32))] * len(vectors))

    def start(self, log_odds: Singles, length: int) -> "Tensor":
        """Noise, the same for every target of a length."""
        return PUBLISHED_NOISE * _noise(self.seed, length, len(log_odds))


@dataclass(frozen=True)
class LikelyFew:
    """The default start: the few pieces of each target that a mixture of words makes likely."""

    mixture: WordMixture
    seed: int

    def likely(self, vectors: Vectors) -> Iterator[Likely]:
        """The `CANDIDATES` likeliest pieces of each target."""
        for places, (log_odds,) in self.mixture.scores(vectors, [STRENGTH]):
            best = np.argsort(-log_odds, axis=1, kind="stable")[:, :CANDIDATES]
            yield from zip(
                np.take_along_axis(places, best, axis=1), np.take_along_axis(log_odds, best, axis=1), strict=True
            )

    def start(self, log_odds: Singles, length: int) -> "Tensor":
        """The first place starts at the likeliest piece, the second at the next, and so on.

        The noise tells places apart that an encoder without order would move alike.
        """
        import torch

        noise = _noise(self.seed, length, len(log_odds))
        start = FLATTENED * torch.from_numpy(log_odds - log_odds[0]) + NOISE * noise
        start[torch.arange(length), torch.arange(length) % len(log_odds)] = ASSIGNED
        return start


def _noise(seed: int, length: int, candidates: int) -> "Tensor":
    import torch

    return torch.randn(length, candidates, generator=torch.Generator().manual_seed(seed + length))
