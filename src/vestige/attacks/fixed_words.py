"""The prior: the best guess of words that needs no vector."""

from collections.abc import Sequence, Set
from typing import Self

import numpy as np

from vestige.errors import InputError, NotFitted
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Integers, Vectors, WordGuesses


class FixedWords:
    """Guesses one and the same set for every text: the one with the best mean F1 on the auxiliary texts.

    The adversary sees: auxiliary texts only. Among sets of k words the mean F1 is a sum over its words, since each
    adds 2 / (k + |W(x)|) for every text x that holds it; so the k words with the largest sums are the best set of
    that size, exactly. Every k is tried until no larger set could do better.
    """

    def fit(self, texts: Sequence[str]) -> Self:
        """Find the best fixed set of content words."""
        return self.fit_sets([content_words(text) for text in texts])

    def fit_sets(self, texts: Sequence[Set[str]]) -> Self:
        """Find the best fixed set of whatever counts as words: each text is given as the set of its own."""
        word_sets = [words for words in texts if words]
        if not word_sets:
            raise InputError(f"none of {len(texts)} texts has a content word; a fixed set needs at least one")
        vocabulary = Vocabulary.build(word_sets, size=None)
        holds = vocabulary.indicator(word_sets)
        sizes = np.array([len(words) for words in word_sets])
        best, k = -1.0, 0
        while k < len(vocabulary) and _ceiling(sizes, k + 1) > best:
            k += 1
            gains = holds.T @ (2 / (k + sizes)) / len(word_sets)
            chosen = np.argsort(-gains, kind="stable")[:k]
            if gains[chosen].sum() > best:
                best = float(gains[chosen].sum())
                self.words_ = frozenset(vocabulary.words[place] for place in chosen)
        shares = {word: count / len(word_sets) for word, count in zip(vocabulary.words, vocabulary.counts, strict=True)}
        self.ranked_ = [(word, share) for word, share in shares.items() if word in self.words_]
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """The fixed set, once a vector; the vectors are counted and not looked at."""
        if not hasattr(self, "words_"):
            raise NotFitted("FixedWords.infer was called before fit; call fit(texts) first")
        return WordGuesses([self.words_] * len(vectors), [self.ranked_] * len(vectors))


def _ceiling(sizes: Integers, k: int) -> float:
    """No set of k or more words has a mean F1 above this: at best it holds every word of each text."""
    return float(np.minimum(1, 2 * sizes / (k + sizes)).mean())
