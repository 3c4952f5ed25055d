"""Multi-label inversion (S5): is each word of a vocabulary in the text behind a vector?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Self

import numpy as np
from scipy.special import expit

from vestige.attacks.blocks import blocks
from vestige.attacks.candidates import Candidates, Read
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.claiming import Decision, Scored, decide
from vestige.attacks.lesson import Lesson
from vestige.attacks.linear_words import PUBLISHED, REFINING, discriminant, published, refined
from vestige.checks import as_vectors, check_choice
from vestige.errors import NotFitted
from vestige.types import Progress, Vectors, WordGuesses, silent

_STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
_ROWS_AT_ONCE = 256
_PUBLISHED = Decision(strength=1.0, threshold=0.0, probability=expit)


class MultiLabelInverter:
    """Reads the set of content words out of a vector with one linear classifier a word.

    The adversary sees: vectors of texts it knows (pairs, as many as it likes), and the target vectors. Black box.
    Shapes: `fit` takes (n, d) vectors and n texts, `infer` takes (m, d) and gives m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.2, Equation 8.

    `recipe="default"` starts from a closed-form discriminant, refines it for `epochs` (2), and chooses the weight of
    the evidence, the calibration and the threshold on a tenth of the pairs; `epochs=0` keeps the closed
    form. `rare_words` above 0 makes rare words count more in the score that it decides by (Corò, Section 6.1).
    `recipe="paper"` is the published training of 30 `epochs`, threshold one half; on unit-norm vectors its step size
    hardly moves the weights (see docs/attacks.md).
    """

    def __init__(
        self,
        *,
        recipe: Literal["default", "paper"] = "default",
        vocabulary_size: int = 8000,
        epochs: int | None = None,
        rare_words: float = 0.0,
    ) -> None:
        self.recipe = recipe
        self.vocabulary_size = vocabulary_size
        self.epochs = epochs
        self.rare_words = rare_words

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
        check_floor("rare_words", self.rare_words, 0)
        vectors = as_pairs(vectors, texts, documents)
        lesson = Lesson.of(
            vectors, texts, documents, vocabulary_size=self.vocabulary_size, rare_words=self.rare_words, rng=rng
        )
        self.vocabulary_, self.depth_ = lesson.vocabulary, lesson.depth
        if self.recipe == "paper":
            self.scorer_ = published(vectors, lesson.labels, rng=rng, progress=progress, training=training)
            self.decision_ = _PUBLISHED
            return self
        known, labels = vectors[lesson.kept], lesson.labels[lesson.kept]
        self.scorer_ = discriminant(known, labels)
        if training.epochs:
            self.scorer_ = refined(self.scorer_, known, labels, rng=rng, progress=progress, training=training)
        self.decision_ = self._decide(lesson)
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """Ranked words with calibrated probabilities, and the set of those above the threshold."""
        if not hasattr(self, "decision_"):
            raise NotFitted("MultiLabelInverter.infer was called before fit; call fit(vectors, texts, rng=...) first")
        found = self._candidates(as_vectors(vectors, len(self.scorer_.mean)), self.decision_.strength)
        claimed = found.scores > self.decision_.threshold
        return Read(found.words, self.decision_.probability(found.scores), claimed).guesses(self.vocabulary_)

    def _decide(self, lesson: Lesson) -> Decision:
        """The strength, the threshold and the calibration that held-out texts speak for."""
        vectors, labels, counted = lesson.vectors[lesson.held], lesson.labels[lesson.held], lesson.counted(lesson.held)

        def scored(strength: float) -> Scored:
            found = self._candidates(vectors, strength)
            return Scored(found.scores, found.hits(labels), counted, lesson.worth[found.words])

        return decide({strength: scored(strength) for strength in _STRENGTHS})

    def _candidates(self, vectors: Vectors, strength: float) -> Candidates:
        logits = (self.scorer_.logits(block, strength)[:count] for block, count in blocks(vectors, _ROWS_AT_ONCE))
        return Candidates.of(logits, len(self.vocabulary_), self.depth_)
