"""The prior of text in order: the one text that fits all others best."""

from collections import Counter
from collections.abc import Sequence
from heapq import nlargest
from statistics import fmean
from typing import Self

import numpy as np

from vestige.errors import InputError, NotFitted
from vestige.text.in_order import in_order
from vestige.text.words import words
from vestige.types import TextGuesses, Vectors

CANDIDATES, JUDGES, FINALISTS = 300, 200, 20


class FixedText:
    """Guesses one and the same text for every vector: the best of a few hundred auxiliary texts.

    The adversary sees: auxiliary texts only. Those that share most words with a couple of hundred others of its
    texts come into question, and of these the one that shares most of them in order is taken (ROUGE-L).
    """

    def fit(self, texts: Sequence[str], *, rng: np.random.Generator) -> Self:
        """Find the text."""
        if not texts:
            raise InputError("no texts; a fixed text needs at least one to choose from")
        drawn = [texts[row] for row in rng.permutation(len(texts))[: CANDIDATES + JUDGES]]
        cut = min(CANDIDATES, -(-len(drawn) * CANDIDATES // (CANDIDATES + JUDGES)))
        judges = [words(text) for text in drawn[cut:] or drawn]
        counted = [Counter(judge) for judge in judges]

        def shared(text: str) -> float:
            own = Counter(words(text))
            return fmean(2 * (own & judge).total() / max(own.total() + judge.total(), 1) for judge in counted)

        def ordered(text: str) -> float:
            own = words(text)
            return fmean(2 * len(in_order(own, judge)) / max(len(own) + len(judge), 1) for judge in judges)

        self.text_ = max(nlargest(FINALISTS, drawn[:cut], key=shared), key=ordered)
        return self

    def infer(self, vectors: Vectors) -> TextGuesses:
        """The fixed text, once a vector; the vectors are counted and not looked at."""
        if not hasattr(self, "text_"):
            raise NotFitted("FixedText.infer was called before fit; call fit(texts, rng=...) first")
        return TextGuesses([self.text_] * len(vectors))
