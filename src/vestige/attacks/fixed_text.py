"""The prior of text in order: the one text that has most in common with all others."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from vestige.errors import InputError, NotFitted
from vestige.types import TextGuesses, Vectors

CANDIDATES, JUDGES = 40, 100


class FixedText:
    """Guesses one and the same text for every vector: of forty auxiliary texts, the one with the best mean ROUGE-L.

    The adversary sees: auxiliary texts only. The mean is over a hundred others of its texts.
    """

    def fit(self, texts: Sequence[str], *, rng: np.random.Generator) -> Self:
        """Find the text."""
        if not texts:
            raise InputError("no texts; a fixed text needs at least one to choose from")
        from rouge_score.rouge_scorer import RougeScorer

        drawn = [texts[row] for row in rng.permutation(len(texts))[: CANDIDATES + JUDGES]]
        candidates, judges = drawn[:CANDIDATES], drawn[CANDIDATES:] or drawn
        rouge = RougeScorer(["rougeL"], use_stemmer=False)
        means = [np.mean([rouge.score(true, text)["rougeL"].fmeasure for true in judges]) for text in candidates]
        self.text_ = candidates[int(np.argmax(means))]
        return self

    def infer(self, vectors: Vectors) -> TextGuesses:
        """The fixed text, once a vector; the vectors are counted and not looked at."""
        if not hasattr(self, "text_"):
            raise NotFitted("FixedText.infer was called before fit; call fit(texts, rng=...) first")
        return TextGuesses([self.text_] * len(vectors))
