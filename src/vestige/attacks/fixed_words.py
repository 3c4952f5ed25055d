"""The prior: the best guess of words that needs no vector."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from vestige.errors import NotFitted
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Vectors, WordGuesses

_LARGEST = 200


class FixedWords:
    """Guesses one and the same set for every text: the one with the best mean F1 on the auxiliary texts.

    The adversary sees: auxiliary texts only. Among sets of k words the mean F1 is a sum over its words, since each
    adds 2 / (k + |W(x)|) for every text x that holds it; so the k words with the largest sums are the best set of
    that size, exactly, and the best k is found by trying each.
    """

    def fit(self, texts: Sequence[str]) -> Self:
        """Find the best fixed set."""
        word_sets = [words for text in texts if (words := content_words(text))]
        vocabulary = Vocabulary.build(word_sets, size=2 * _LARGEST)
        holds = vocabulary.indicator(word_sets)
        sizes = np.array([len(words) for words in word_sets])
        best = -1.0
        for k in range(1, min(_LARGEST, len(vocabulary)) + 1):
            gains = holds.T @ (2 / (k + sizes)) / max(len(word_sets), 1)
            chosen = np.argsort(-gains, kind="stable")[:k]
            if gains[chosen].sum() > best:
                best = float(gains[chosen].sum())
                self.words_ = frozenset(vocabulary.words[place] for place in chosen)
        counts = dict(zip(vocabulary.words, vocabulary.counts, strict=True))
        shares = [(word, counts[word] / len(word_sets)) for word in vocabulary.words if word in self.words_]
        self._ranked = sorted(shares, key=lambda pair: (-pair[1], pair[0]))
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """The fixed set, once a vector; the vectors are counted and not looked at."""
        if not hasattr(self, "words_"):
            raise NotFitted("FixedWords.infer was called before fit; call fit(texts) first")
        return WordGuesses([self.words_] * len(vectors), [self._ranked] * len(vectors))
