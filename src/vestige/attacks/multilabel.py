"""Multi-label inversion: predict for each word of a vocabulary whether the text behind a vector contains it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Self

import numpy as np
from scipy.special import expit

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, as_table, check_floor
from vestige.attacks.linear_words import (
    REFINING,
    ScorerTraining,
    fit_discriminant,
    refine_scorer,
)
from vestige.attacks.published_scorer import PUBLISHED, train_published_scorer
from vestige.attacks.rows import split_blocks
from vestige.attacks.sparse_columns import KeptColumns
from vestige.attacks.thresholding import Candidates, Decision, RankedWords, ScoredCandidates, decide
from vestige.attacks.training_set import CountedWords, TrainingSet, choose_words
from vestige.checks import check_choice
from vestige.errors import NotFitted
from vestige.nn.device import Device, choose_device
from vestige.types import Progress, TrainingLog, Vectors, WordGuesses, silent

_STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
_ROWS_AT_ONCE = 256
_PUBLISHED = Decision(strength=1.0, threshold=0.0, probability=expit)


class MultiLabelInverter:
    """Predicts the set of content words of a text from its vector, with one linear classifier per word.

    The adversary sees: vectors of texts it knows (pairs, as many as it likes), and the target vectors. Black box.
    Shapes: `fit` takes (n, d) vectors and n texts; `infer` takes (m, d) and returns m sets and m ranked lists.
    Paper: Song and Raghunathan, CCS 2020, Section 3.2, Equation 8.

    `recipe="default"` starts from a discriminant in closed form, refines it for `epochs` (2; 0 leaves the closed form),
    and chooses the weight of the evidence, the threshold and the calibration on a tenth of the pairs. `rare_words`
    above 0 gives rare words more weight in the score that it chooses by (Corò 2022, Section 6.1). `recipe="paper"` is
    the published training of 30 `epochs` with a threshold of one half. `log_` says whether it converged, by the loss on
    a tenth of the pairs that it does not learn from; the paper holds out none. On unit-length vectors 30 epochs of few
    pairs hardly move the weights (see docs/decisions). `words="all"` counts stop words too, as the paper does. Of a
    sparse table (CSR) of vectors it takes the 4,096 columns that most known texts use.
    """

    info = AttackInfo(
        name="multilabel",
        summary="infers content words, one linear classifier per word (Song and Raghunathan 2020)",
        output=WordGuesses,
        access=("pairs",),
        paper="Song and Raghunathan, CCS 2020, Section 3.2, Equation 8",
        recipes=("default", "paper"),
        named_recipes={"song-mlc": {"recipe": "paper", "words": "all"}},
        audited=True,
        description=(
            "multi-label inversion, one linear classifier per word, {recipe} recipe (Song and Raghunathan 2020, Eq. 8)"
        ),
        quick={"epochs": 0},
    )

    def __init__(
        self,
        *,
        recipe: Literal["default", "paper"] = "default",
        vocabulary_size: int = 8000,
        words: CountedWords = "content",
        epochs: int | None = None,
        rare_words: float = 0.0,
        device: Device = "cpu",
    ) -> None:
        self.recipe = recipe
        self.vocabulary_size = vocabulary_size
        self.words = words
        self.epochs = epochs
        self.rare_words = rare_words
        self.device = device

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

        `documents` names the document of each text, so that the held-out tenth shares no document with the rest.
        """
        training = self._check()
        vectors = as_pairs(vectors, texts, documents, sparse=True)
        self.columns_ = KeptColumns.choose(vectors)
        vectors = self.columns_.take(vectors)
        pairs = TrainingSet.build(
            vectors,
            texts,
            documents,
            vocabulary_size=self.vocabulary_size,
            rare_words=self.rare_words,
            rng=rng,
            words=self.words,
        )
        self.vocabulary_, self.depth_ = pairs.vocabulary, pairs.depth
        self.log_: TrainingLog | None = None
        if self.recipe == "paper":
            self.scorer_, self.log_ = train_published_scorer(
                pairs, rng=rng, progress=progress, training=training, device=choose_device(self.device)
            )
            self.decision_ = _PUBLISHED
            return self
        known, labels = vectors[pairs.train], pairs.labels[pairs.train]
        self.scorer_ = fit_discriminant(known, labels)
        if training.epochs:
            self.scorer_ = refine_scorer(
                self.scorer_, known, labels, rng=rng, progress=progress, training=training, device=self.device
            )
        self.decision_ = self._decide(pairs)
        return self

    def infer(self, vectors: Vectors) -> WordGuesses:
        """Ranked words with calibrated probabilities, and the set of those above the threshold."""
        if not hasattr(self, "decision_"):
            raise NotFitted("MultiLabelInverter.infer was called before fit; call fit(vectors, texts, rng=...) first")
        vectors = self.columns_.take(as_table(vectors, self.columns_.width))
        best = self._candidates(vectors, self.decision_.strength)
        claimed = best.scores > self.decision_.threshold
        return RankedWords(best.words, self.decision_.probability(best.scores), claimed).guesses(self.vocabulary_)

    def _check(self) -> ScorerTraining:
        """How to train, once all settings are valid."""
        check_choice("recipe", self.recipe, ("default", "paper"))
        published, fewest = (PUBLISHED, 1) if self.recipe == "paper" else (REFINING, 0)
        training = published if self.epochs is None else replace(published, epochs=self.epochs)
        check_floor("epochs", training.epochs, fewest)
        choose_words(self.words)
        check_floor("vocabulary_size", self.vocabulary_size, 1)
        check_floor("rare_words", self.rare_words, 0)
        return training

    def _decide(self, pairs: TrainingSet) -> Decision:
        """The strength, threshold and calibration that do best on the held-out texts."""
        vectors, labels = pairs.vectors[pairs.held_out], pairs.labels[pairs.held_out]
        totals = pairs.total_weights(pairs.held_out)

        def score(strength: float) -> ScoredCandidates:
            best = self._candidates(vectors, strength)
            return ScoredCandidates(best.scores, best.hits(labels), totals, pairs.weights[best.words])

        return decide({strength: score(strength) for strength in _STRENGTHS})

    def _candidates(self, vectors: Vectors, strength: float) -> Candidates:
        logits = (self.scorer_.logits(block, strength)[:count] for block, count in split_blocks(vectors, _ROWS_AT_ONCE))
        return Candidates.build(logits, len(self.vocabulary_), self.depth_)
