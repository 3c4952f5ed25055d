"""Multi-label inversion (S5): is each word of a vocabulary in the text behind a vector?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np
from scipy import sparse
from scipy.special import expit

from vestige.attacks.blocks import blocks
from vestige.attacks.checks import as_pairs, as_vectors, check_choice, check_floor
from vestige.attacks.claiming import Decision, Scored, decide, set_aside
from vestige.attacks.linear_words import PUBLISHED, REFINING, discriminant, published, refined
from vestige.errors import InputError, NotFitted
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Flags, Integers, Progress, Singles, Vectors, WordGuesses, silent

_STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
_ROWS_AT_ONCE = 256


_PUBLISHED = Decision(strength=1.0, threshold=0.0, probability=expit)


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

    `recipe="default"` starts from a closed-form discriminant, refines it for `epochs` (2), and chooses the weight of
    the evidence, the calibration and the threshold on a tenth of the pairs; `epochs=0` keeps the closed form.
    `recipe="paper"` is the published training of 30 `epochs`, threshold one half; on unit-norm vectors its step size
    hardly moves the weights (see docs/attacks.md).
    """

    def __init__(
        self, *, recipe: Literal["default", "paper"] = "default", vocabulary_size: int = 8000, epochs: int | None = None
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
        usual, fewest = (PUBLISHED, 1) if self.recipe == "paper" else (REFINING, 0)
        training = usual if self.epochs is None else replace(usual, epochs=self.epochs)
        check_floor("epochs", training.epochs, fewest)
        check_floor("vocabulary_size", self.vocabulary_size, 1)
        vectors = as_pairs(vectors, texts, documents)
        word_sets = [content_words(text) for text in texts]
        self.vocabulary_ = Vocabulary.build(word_sets, self.vocabulary_size)
        if not len(self.vocabulary_):
            raise InputError(f"none of {len(texts)} texts has a content word; fit needs words to learn")
        labels = self.vocabulary_.indicator(word_sets)
        sizes = np.array([len(words) for words in word_sets])
        self.depth_ = int(min(len(self.vocabulary_), max(50, 2 * np.quantile(sizes, 0.95))))
        if self.recipe == "paper":
            self.scorer_ = published(vectors, labels, rng=rng, progress=progress, training=training)
            self.decision_ = _PUBLISHED
            return self
        kept, held = set_aside(len(texts), documents, rng)
        self.scorer_ = discriminant(vectors[kept], labels[kept])
        if training.epochs:
            self.scorer_ = refined(
                self.scorer_, vectors[kept], labels[kept], rng=rng, progress=progress, training=training
            )
        self.decision_ = decide(
            {strength: self._scored(vectors[held], labels[held], sizes[held], strength) for strength in _STRENGTHS}
        )
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """Ranked words with calibrated probabilities, and the set of those above the threshold."""
        if not hasattr(self, "scorer_"):
            raise NotFitted("MultiLabelInverter.infer was called before fit; call fit(vectors, texts, rng=...) first")
        vectors = as_vectors(vectors, len(self.scorer_.mean))
        guesses = WordGuesses([], [])
        for candidates in self._candidates(vectors, self.decision_.strength):
            chances = self.decision_.probability(candidates.logits).tolist()
            claimed = (candidates.logits > self.decision_.threshold).sum(axis=1)
            for places, row, size in zip(candidates.words, chances, claimed, strict=True):
                words = [self.vocabulary_.words[place] for place in places]
                guesses.ranked.append(list(zip(words, row, strict=True)))
                guesses.sets.append(frozenset(words[:size]))
        return guesses

    def _scored(self, vectors: Vectors, labels: sparse.csr_array, sizes: Integers, strength: float) -> Scored:
        parts = list(self._candidates(vectors, strength))
        candidates = _Candidates(np.concatenate([p.words for p in parts]), np.concatenate([p.logits for p in parts]))
        return Scored(candidates.logits, candidates.hits(labels), sizes)

    def _candidates(self, vectors: Vectors, strength: float) -> Iterator[_Candidates]:
        import torch

        for block, count in blocks(vectors, _ROWS_AT_ONCE):
            logits = self.scorer_.logits(block, strength)[:count]
            likeliest = torch.topk(torch.from_numpy(logits), self.depth_, dim=1)
            yield _Candidates(likeliest.indices.numpy(), likeliest.values.numpy())
