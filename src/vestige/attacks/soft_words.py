"""Descent on soft words: the objective, the start of each target, and how the final pieces spell words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vestige.attacks.convergence import Convergence
from vestige.attacks.dictionary import Dictionary
from vestige.attacks.row_adam import RowAdam
from vestige.attacks.word_mixture import WordMixture
from vestige.types import Integers, Singles, Vectors

if TYPE_CHECKING:
    from torch import Tensor


CANDIDATES = 60
STRENGTH = 0.9
FLATTENED, ASSIGNED, NOISE = 0.3, 4.0, 0.1
PUBLISHED_NOISE = 0.1
DEPTH = 500


@dataclass(frozen=True)
class Descent:
    """How Z is moved: Adam at this rate until convergence, or for so many steps; the softmax has this temperature."""

    rate: float
    steps: int
    temperature: float


PUBLISHED = Descent(rate=1e-3, steps=20_000, temperature=0.05)


@dataclass(frozen=True)
class SoftWords:
    """The probability of each candidate at each position, (texts, length, candidates), and how it was reached."""

    chances: "Tensor"
    convergence: Convergence


def relax(
    embed: Callable[..., "Tensor"],
    word_vectors: "Tensor",
    targets: "Tensor",
    start: "Tensor",
    descent: Descent,
    lengths: "Tensor | None" = None,
) -> SoftWords:
    """Minimise |embed(softmax(Z / T)·word_vectors) - target|² over Z (Song and Raghunathan 2020, Equations 4 and 5).

    `word_vectors` are (texts, candidates, width), or (candidates, width) where all texts share them; `targets` are
    (texts, d); `start` is Z before the first step, (texts, length, candidates). Each text descends by itself and leaves
    when it has converged: the loss is a sum, and Adam works element by element. With `lengths`, `embed` is given them,
    and places past the end of a text stay as they are.
    """
    import torch

    adam, progress = RowAdam(start, descent.rate), Convergence(start, descent.steps)
    for step in range(1, descent.steps + 1):
        free = adam.values.detach()
        own = embed if lengths is None else partial(embed, lengths=lengths)
        adam.step(_differentiate(own, word_vectors, targets, free, descent.temperature))
        if not progress.is_due(step):
            continue
        with torch.no_grad():
            reached = own(torch.softmax(free / descent.temperature, dim=-1) @ word_vectors)
        going = progress.update(step, free, (reached - targets).square().sum(dim=1))
        if not going.any():
            break
        if not going.all():
            adam.keep(going)
            targets = targets[going]
            word_vectors = word_vectors[going] if word_vectors.dim() == 3 else word_vectors
            lengths = None if lengths is None else lengths[going]
    return SoftWords(torch.softmax(progress.state / descent.temperature, dim=-1), progress)


def _differentiate(
    embed: Callable[["Tensor"], "Tensor"],
    word_vectors: "Tensor",
    targets: "Tensor",
    free: "Tensor",
    temperature: float,
) -> "Tensor":
    """The gradient in Z of the objective of each text.

    That of the softmax is written out. With p the probabilities and g the gradient in the soft word, it is
    p·(word_vectors·g - soft·g) / T, where soft·g stands for the sum of p·(word_vectors·g) over a whole vocabulary.
    """
    import torch

    chances = torch.softmax(free / temperature, dim=-1)
    soft = (chances @ word_vectors).requires_grad_()
    with torch.enable_grad():
        losses = (embed(soft) - targets).square().sum(dim=1)
        (slope,) = torch.autograd.grad(losses.sum(), soft)
    gradient = slope @ word_vectors.transpose(-1, -2)
    gradient.sub_((slope * soft.detach()).sum(dim=-1, keepdim=True)).mul_(chances).div_(temperature)
    return gradient


Likely = tuple[Integers, Singles]
"""The candidates of one target, by position in the dictionary, and their log odds."""


class DescentStart(Protocol):
    """The candidates of a descent, and its starting point."""

    def likely(self, vectors: Vectors) -> Iterator[Likely]:
        """The candidates of each target, likeliest first."""

    def start(self, log_odds: Singles, length: int) -> "Tensor":
        """Z before the first step, (length, candidates)."""


@dataclass(frozen=True)
class UniformStart:
    """The published start: every piece of the vocabulary, and Z uniform between -`noise` and `noise`.

    The paper does not state it; the authors' released code has 0.1.
    """

    pieces: int
    seed: int
    noise: float = PUBLISHED_NOISE

    def likely(self, vectors: Vectors) -> Iterator[Likely]:
        """All pieces for every target."""
        return iter([(np.arange(self.pieces), np.zeros(self.pieces, np.float32))] * len(vectors))

    def start(self, log_odds: Singles, length: int) -> "Tensor":
        """Noise, the same for every target of a length."""
        import torch

        drawn = torch.rand(length, len(log_odds), generator=torch.Generator().manual_seed(self.seed + length))
        return self.noise * (2 * drawn - 1)


@dataclass(frozen=True)
class MixtureStart:
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
        """The first position starts at the likeliest piece, the second at the next, and so on.

        The noise separates positions that an encoder without word order would move alike.
        """
        import torch

        noise = _noise(self.seed, length, len(log_odds))
        start = FLATTENED * torch.from_numpy(log_odds - log_odds[0]) + NOISE * noise
        start[torch.arange(length), torch.arange(length) % len(log_odds)] = ASSIGNED
        return start


def _noise(seed: int, length: int, candidates: int) -> "Tensor":
    import torch

    return torch.randn(length, candidates, generator=torch.Generator().manual_seed(seed + length))


Spelled = tuple[list[tuple[str, float]], frozenset[str]]
"""Names with their probabilities, likeliest first, and those that are guessed."""


@dataclass(frozen=True)
class Speller:
    """Spells the claimable names of a dictionary with pieces; where the names are the pieces, each spells itself.

    A name is as likely as the least likely of its pieces, and guessed where all of them are.
    """

    names: Dictionary

    def spell(self, pieces: list[int], chances: Singles) -> Spelled:
        """Spell the names that `chances`, (positions, pieces), give a probability to.

        A piece is as likely as at its likeliest position, and a position guesses its likeliest piece. Probabilities are
        cut at one, which a softmax may exceed by rounding. Names past the `DEPTH` likeliest are left out, unless
        guessed.
        """
        likely = dict(zip(pieces, chances.max(axis=0).tolist(), strict=True))
        taken = {pieces[column] for column in chances.argmax(axis=1)}
        spelled = zip(self.names.names, self.names.pieces, self.names.claimable, strict=True)
        known = [
            (name, parts) for name, parts, claimable in spelled if claimable and all(map(likely.__contains__, parts))
        ]
        ranked = [(name, min(1.0, *(likely[part] for part in parts))) for name, parts in known]
        claimed = frozenset(name for name, parts in known if taken.issuperset(parts))
        ranked.sort(key=lambda item: -item[1])
        return [item for rank, item in enumerate(ranked) if rank < DEPTH or item[0] in claimed], claimed
