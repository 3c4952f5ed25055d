"""The prior of text in order: the one text that has most in common with all others."""

from collections import Counter
from collections.abc import Sequence
from typing import Self

import numpy as np

from vestige.errors import InputError, NotFitted
from vestige.text.words import words
from vestige.types import TextGuesses, Vectors

CANDIDATES, JUDGES = 40, 100


class FixedText:
    """Guesses one and the same text for every vector: of forty auxiliary texts, the one that shares most.

    The adversary sees: auxiliary texts only. What counts is the mean F1 of words with a
    hundred others of its texts (ROUGE-1).
    """

    def fit(self, texts: Sequence[str], *, rng: np.random.Generator) -> Self:
        """Find the text."""
        if not texts:
            raise InputError("no texts; a fixed text needs at least one to choose from")
        drawn = [texts[row] for row in rng.permutation(len(texts))[: CANDIDATES + JUDGES]]
        candidates, judges = drawn[:CANDIDATES], [Counter(words(text)) for text in drawn[CANDIDATES:] or drawn]
        means = [np.mean([_shared(Counter(words(text)), judge) for judge in judges]) for text in candidates]
        self.text_ = candidates[int(np.argmax(means))]
        return self

    def infer(self, vectors: Vectors) -> TextGuesses:
        """The fixed text, once a vector; the vectors are counted and not looked at."""
        if not hasattr(self, "text_"):
            raise NotFitted("FixedText.infer was called before fit; call fit(texts, rng=...) first")
        return TextGuesses([self.text_] * len(vectors))


def _shared(one: Counter[str], other: Counter[str]) -> float:
    """The F1 of all words, each as often as it stands there."""
    return 2 * (one & other).total() / max(one.total() + other.total(), 1)
