"""The few words of each text that are worth a closer look."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.text.vocabulary import Vocabulary
from vestige.types import Flags, Floats, Integers, Singles, WordGuesses


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
        return cls(words, scores)

    def hits(self, labels: sparse.csr_array) -> Flags:
        """Which of them are in the text."""
        rows = zip(self.words, np.split(labels.indices, labels.indptr[1:-1]), strict=True)
        return np.array([np.isin(candidates, truth) for candidates, truth in rows])


@dataclass(frozen=True)
class Read:
    """Per text the words shown, likeliest first, their probabilities, and which of them are claimed."""

    words: Integers
    probabilities: Floats
    claimed: Flags

    def guesses(self, vocabulary: Vocabulary) -> WordGuesses:
        """The same by name."""
        ranked = list(self._named(vocabulary))
        sets = [
            frozenset(word for (word, _), there in zip(row, claimed, strict=True) if there)
            for row, claimed in zip(ranked, self.claimed, strict=True)
        ]
        return WordGuesses(sets, ranked)

    def _named(self, vocabulary: Vocabulary) -> Iterator[list[tuple[str, float]]]:
        for places, chances in zip(self.words, self.probabilities.tolist(), strict=True):
            yield list(zip((vocabulary.words[place] for place in places), chances, strict=True))
