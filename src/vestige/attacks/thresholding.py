"""From scores to guesses: the candidate words of each text, the threshold above which one is guessed, calibration."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.text.vocabulary import Vocabulary
from vestige.types import Flags, Floats, Integers, Singles, WordGuesses

_THRESHOLDS = 200


@dataclass(frozen=True)
class Candidates:
    """The words of the vocabulary with the best scores in each text, best first: (texts, depth)."""

    words: Integers
    scores: Singles

    @classmethod
    def build(cls, blocks: Iterable[Singles], vocabulary: int, depth: int) -> "Candidates":
        """Keep the best of blocks of scores; columns past the vocabulary are fillers and are never candidates."""
        import torch

        best = [torch.topk(torch.from_numpy(block[:, :vocabulary]), depth, dim=1) for block in blocks]
        if not best:
            return cls(np.empty((0, depth), np.int64), np.empty((0, depth), np.float32))
        words, scores = (torch.cat(parts).numpy() for parts in zip(*((b.indices, b.values) for b in best), strict=True))
        return cls(words, scores)

    def hits(self, labels: sparse.csr_array) -> Flags:
        """Which candidates occur in their text."""
        rows = zip(self.words, np.split(labels.indices, labels.indptr[1:-1]), strict=True)
        return np.array([np.isin(candidates, truth) for candidates, truth in rows])


@dataclass(frozen=True)
class RankedWords:
    """Per text the ranked words, likeliest first, their probabilities, and which of them are guessed."""

    words: Integers
    probabilities: Floats
    claimed: Flags

    @classmethod
    def concatenate(cls, blocks: Sequence["RankedWords"], depth: int) -> "RankedWords":
        """The texts of all blocks, one after another; without a block, none, ranked to this depth."""
        none = cls(np.empty((0, depth), np.int64), np.empty((0, depth)), np.empty((0, depth), np.bool_))
        fields = ("words", "probabilities", "claimed")
        return cls(*(np.concatenate([getattr(block, name) for block in (none, *blocks)]) for name in fields))

    def take(self, count: int) -> "RankedWords":
        """The first so many texts."""
        return RankedWords(self.words[:count], self.probabilities[:count], self.claimed[:count])

    def guesses(self, vocabulary: Vocabulary) -> WordGuesses:
        """The same with words instead of column numbers."""
        ranked = list(self._name(vocabulary))
        sets = [
            frozenset(word for (word, _), claimed in zip(row, flags, strict=True) if claimed)
            for row, flags in zip(ranked, self.claimed, strict=True)
        ]
        return WordGuesses(sets, ranked)

    def _name(self, vocabulary: Vocabulary) -> Iterator[list[tuple[str, float]]]:
        for places, probabilities in zip(self.words, self.probabilities.tolist(), strict=True):
            yield list(zip((vocabulary.words[place] for place in places), probabilities, strict=True))


@dataclass(frozen=True)
class Decision:
    """What is chosen on held-out texts: the weight of the evidence, the threshold, and the calibration of scores."""

    strength: float
    threshold: float
    probability: Callable[[Singles], Floats]


@dataclass(frozen=True)
class Calibration:
    """The probability of a score: a line through points, constant beyond the first and the last."""

    scores: Floats
    chances: Floats

    def __call__(self, scores: Singles) -> Floats:
        """The probability of each score."""
        return np.asarray(np.interp(scores, self.scores, self.chances))


@dataclass(frozen=True)
class ScoredCandidates:
    """Candidate words of texts whose words are known.

    `scores` and `hits` are (texts, candidates); a score of minus infinity marks a candidate that cannot be guessed.
    `weights` is how much each candidate counts, `sizes` the summed weight of all words of each text, candidates or not.
    """

    scores: Singles
    hits: Flags
    sizes: Integers | Singles
    weights: Singles | float = 1.0

    def mean_f1(self, threshold: float) -> float:
        """The mean F1 over texts when every candidate above the threshold is guessed."""
        claimed = (self.scores > threshold) * self.weights
        f1 = 2 * (claimed * self.hits).sum(axis=1) / np.maximum(claimed.sum(axis=1) + self.sizes, 1e-9)
        return float(f1[self.sizes > 0].mean()) if (self.sizes > 0).any() else 0.0

    def best_threshold(self) -> tuple[float, float]:
        """The best mean F1 and the lowest threshold that reaches it."""
        possible = self.scores[np.isfinite(self.scores)]
        if not possible.size:
            return 0.0, 0.0
        thresholds = np.quantile(possible, np.linspace(0, 1, _THRESHOLDS, endpoint=False))
        reached = [self.mean_f1(float(threshold)) for threshold in thresholds]
        return max(reached), float(thresholds[int(np.argmax(reached))])

    def calibration(self) -> "Calibration":
        """The probability that a candidate with a given score occurs in the text, by isotonic regression."""
        from sklearn.isotonic import IsotonicRegression

        possible = np.isfinite(self.scores)
        if not possible.any():
            return Calibration(np.zeros(1), np.zeros(1))
        fitted = IsotonicRegression(y_min=0.001, y_max=0.999).fit(self.scores[possible], self.hits[possible])
        return Calibration(fitted.X_thresholds_, fitted.y_thresholds_)


def decide(tried: Mapping[float, ScoredCandidates]) -> Decision:
    """The strength with the best mean F1 (the first of several), with its threshold and calibration."""
    reached = {strength: scored.best_threshold() for strength, scored in tried.items()}
    strength = max(reached, key=lambda strength: reached[strength][0])
    return Decision(strength, reached[strength][1], tried[strength].calibration())
