"""What is decided on held-out texts: how much the evidence weighs, when to stop, what a score is worth."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.attacks.multiset.greedy import Greedy
from vestige.types import Flags, Floats, Integers, Singles, Vectors

STRENGTHS = (0.0, 0.4, 0.6, 0.75, 0.9, 1.1)
MOST_TEXTS = 500
_CUTS = 200
_NEVER = -1e9


@dataclass(frozen=True)
class Decision:
    """Strength of the evidence, the gain at which greedy decoding stops, and scores turned into probabilities."""

    strength: float
    cut: float
    probability: Callable[[Singles], Floats]


@dataclass(frozen=True)
class Candidates:
    """The words of the vocabulary with the best scores in each text, best first."""

    words: Integers
    scores: Singles

    @classmethod
    def of(cls, blocks: Iterable[Singles], vocabulary: int, depth: int) -> "Candidates":
        """Join blocks of scores; columns past the vocabulary are fillers and fall away."""
        import torch

        best = [torch.topk(torch.from_numpy(block[:, :vocabulary]), depth, dim=1) for block in blocks]
        if not best:
            return cls(np.empty((0, depth), np.int64), np.empty((0, depth), np.float32))
        words, scores = (torch.cat(parts).numpy() for parts in zip(*((b.indices, b.values) for b in best), strict=True))
        return cls(words, np.maximum(scores, _NEVER))


@dataclass(frozen=True)
class HeldOut:
    """Texts to decide on: what each word of the vocabulary counts, and what all words of a text count together."""

    vectors: Vectors
    labels: sparse.csr_array
    worth: Singles
    total: Singles

    def hits(self, candidates: Candidates) -> Flags:
        """Which candidates are in the text."""
        return np.take_along_axis(self.labels.toarray() > 0, candidates.words, axis=1)

    def mean_f1(self, candidates: Candidates, hits: Flags, cut: float) -> float:
        """The mean over texts, each word counted by what it is worth."""
        claimed = np.where(candidates.scores > cut, self.worth[candidates.words], 0)
        scores = 2 * (claimed * hits).sum(axis=1) / np.maximum(claimed.sum(axis=1) + self.total, 1e-9)
        return float(scores[self.total > 0].mean()) if (self.total > 0).any() else 0.0


def decide(greedy: Greedy, held: HeldOut, depth: int) -> Decision:
    """The strength and the cut with the best mean F1, then isotonic regression on what a reader would be shown."""
    best, strength, cut = -1.0, 0.0, 0.0
    for tried in STRENGTHS:
        candidates = _candidates(greedy, held, depth, tried, -np.inf)
        hits = held.hits(candidates)
        for place in np.quantile(candidates.scores, np.linspace(0, 1, _CUTS, endpoint=False)):
            reached = held.mean_f1(candidates, hits, place)
            if reached > best:
                best, strength, cut = reached, tried, float(place)
    shown = _candidates(greedy, held, depth, strength, cut)
    return Decision(strength, cut, _calibrated(shown.scores, held.hits(shown)))


def _candidates(greedy: Greedy, held: HeldOut, depth: int, strength: float, floor: float) -> Candidates:
    return Candidates.of(greedy.scores(held.vectors, strength, floor), held.labels.shape[1], depth)


def _calibrated(scores: Singles, hits: Flags) -> Callable[[Singles], Floats]:
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression(y_min=0.001, y_max=0.999).fit(scores.ravel(), hits.ravel())
    return lambda values: np.interp(values, fitted.X_thresholds_, fitted.y_thresholds_)
