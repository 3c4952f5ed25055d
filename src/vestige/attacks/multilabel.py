"""Multi-label inversion (S5): is each word of a vocabulary in the text behind a vector?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from scipy import sparse
from scipy.special import expit

from vestige.attacks.checks import check_choice, check_columns, check_floor, check_pairs
from vestige.attacks.claiming import Scored, set_aside
from vestige.attacks.linear_words import discriminant, published, refined
from vestige.errors import InputError, NotFitted
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Flags, Floats, Integers, Progress, Singles, Vectors, WordGuesses, silent

_STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
_ROWS_AT_ONCE = 2048


@dataclass(frozen=True)
class _Decision:
    """How much the evidence weighs, above which logit a word is claimed, and what a logit is worth as a probability."""

    strength: float
    threshold: float
    probability: Callable[[Singles], Floats]


_PUBLISHED = _Decision(strength=1.0, threshold=0.0, probability=expit)


@dataclass(frozen=True)
class _Candidates:
    """The likeliest words of each text, likeliest first, with their logits."""

    words: Integers
    logits: Singles

    def hits(self, labels: sparse.csr_array) -> Flags:
        """Which candidates are in the text."""
        rows = zip(self.words, np.split(labels.indices, labels.indptr[1:-1]), strict=True)
        return np.array([np.isin(candidates, truth) for candidates, truth in rows])


class MultiLabelInverter:
    """Reads the set of content words out of a vector with one linear classifier a word.

    The adversary sees: vectors of texts it knows (pairs, as many as it likes), and the target vectors. Black box.
    Shapes: `fit` takes (n, d) vectors and n texts, `infer` takes (m, d) and gives m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.2, Equation 8.

    `recipe="default"` starts from a closed-form discriminant, refines it for `epochs`, and chooses the weight of the
    evidence, the calibration and the threshold on a tenth of the pairs; `epochs=0` keeps the closed form.
    `recipe="paper"` is the published training, threshold one half; on unit-norm vectors its step size hardly moves the
    weights (see docs/attacks.md).
    """

    def __init__(
        self, *, recipe: Literal["default", "paper"] = "default", vocabulary_size: int = 8000, epochs: int = 2
    ) -> None:
        self.recipe = recipe
        self.vocabulary_size = vocabulary_size
        self.epochs = epochs

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs: row i of `vectors` is the embedding of `texts[i]`.

        `documents` says which texts belong together, so that the tenth on which it decides shares none with the rest.
        """
        check_choice("recipe", self.recipe, ("default", "paper"))
        check_floor("epochs", self.epochs, 0)
        check_floor("vocabulary_size", self.vocabulary_size, 1)
        check_pairs(vectors, texts, documents)
        word_sets = [content_words(text) for text in texts]
        self.vocabulary_ = Vocabulary.build(word_sets, self.vocabulary_size)
        if not len(self.vocabulary_):
            raise InputError(f"none of {len(texts)} texts has a content word; fit needs words to learn")
        labels = self.vocabulary_.indicator(word_sets)
        sizes = np.array([len(words) for words in word_sets])
        self.depth_ = int(min(len(self.vocabulary_), max(50, 2 * np.quantile(sizes, 0.95))))
        if self.recipe == "paper":
            self.scorer_ = published(vectors, labels, rng=rng, progress=progress)
            self.decision_ = _PUBLISHED
            return self
        kept, held = set_aside(len(texts), documents, rng)
        self.scorer_ = discriminant(vectors[kept], labels[kept])
        if self.epochs:
            self.scorer_ = refined(
                self.scorer_, vectors[kept], labels[kept], epochs=self.epochs, rng=rng, progress=progress
            )
        self.decision_ = self._decide(vectors[held], labels[held], sizes[held])
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """Ranked words with calibrated probabilities, and the set of those above the threshold."""
        if not hasattr(self, "scorer_"):
            raise NotFitted("MultiLabelInverter.infer was called before fit; call fit(vectors, texts, rng=...) first")
        check_columns(vectors, len(self.scorer_.mean))
        guesses = WordGuesses([], [])
        for candidates in self._candidates(vectors, self.decision_.strength):
            chances = self.decision_.probability(candidates.logits).tolist()
            claimed = (candidates.logits > self.decision_.threshold).sum(axis=1)
            for places, row, size in zip(candidates.words, chances, claimed, strict=True):
                words = [self.vocabulary_.words[place] for place in places]
                guesses.ranked.append(list(zip(words, row, strict=True)))
                guesses.sets.append(frozenset(words[:size]))
        return guesses

    def _decide(self, vectors: Vectors, labels: sparse.csr_array, sizes: Integers) -> _Decision:
        """Choose strength and threshold for the best mean F1 on held-out pairs, then calibrate."""
        tried = {strength: self._scored(vectors, labels, sizes, strength) for strength in _STRENGTHS}
        strength = max(tried, key=lambda strength: tried[strength].best_threshold()[0])
        best = tried[strength]
        return _Decision(strength, best.best_threshold()[1], best.calibration())

    def _scored(self, vectors: Vectors, labels: sparse.csr_array, sizes: Integers, strength: float) -> Scored:
        parts = list(self._candidates(vectors, strength))
        candidates = _Candidates(np.concatenate([p.words for p in parts]), np.concatenate([p.logits for p in parts]))
        return Scored(candidates.logits, candidates.hits(labels), sizes)

    def _candidates(self, vectors: Vectors, strength: float) -> Iterator[_Candidates]:
        import torch

        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            logits = self.scorer_.logits(vectors[start : start + _ROWS_AT_ONCE], strength)
            likeliest = torch.topk(torch.from_numpy(logits), self.depth_, dim=1)
            yield _Candidates(likeliest.indices.numpy(), likeliest.values.numpy())
