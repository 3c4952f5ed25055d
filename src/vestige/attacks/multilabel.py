"""Multi-label inversion (S5): is each word of a vocabulary in the text behind a vector?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import expit

from vestige.attacks.linear_words import Single, discriminant, published, refined
from vestige.errors import InputError, NotFitted
from vestige.text.split import split_documents
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Floats, Progress, Vectors, WordGuesses, silent

HELD_OUT = 0.1
_STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
_THRESHOLDS = 200
_ROWS_AT_ONCE = 2048


@dataclass(frozen=True)
class _Decision:
    """How much the evidence weighs, above which logit a word is claimed, and what a logit is worth as a probability."""

    strength: float
    threshold: float
    probability: Callable[[Single], Floats]


_PUBLISHED = _Decision(strength=1.0, threshold=0.0, probability=expit)


@dataclass(frozen=True)
class _Candidates:
    """The likeliest words of each text, likeliest first, with their logits."""

    words: npt.NDArray[np.int64]
    logits: Single

    def hits(self, labels: sparse.csr_array) -> npt.NDArray[np.bool_]:
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
        self._check(vectors, texts)
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
        owners = documents if documents and len(set(documents)) > 1 else [str(row) for row in range(len(texts))]
        split = split_documents(owners, HELD_OUT, rng)
        held, kept = np.array(split.target), np.array(split.auxiliary)
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
        if vectors.shape[1] != len(self.scorer_.mean):
            raise InputError(
                f"the targets have {vectors.shape[1]} columns, the attack was fitted on {len(self.scorer_.mean)}; "
                "give vectors of the same encoder"
            )
        guesses = WordGuesses([], [])
        for candidates in self._candidates(vectors, self.decision_.strength):
            chances = self.decision_.probability(candidates.logits).tolist()
            claimed = (candidates.logits > self.decision_.threshold).sum(axis=1)
            for places, row, size in zip(candidates.words, chances, claimed, strict=True):
                words = [self.vocabulary_.words[place] for place in places]
                guesses.ranked.append(list(zip(words, row, strict=True)))
                guesses.sets.append(frozenset(words[:size]))
        return guesses

    def _decide(self, vectors: Vectors, labels: sparse.csr_array, sizes: npt.NDArray[np.int64]) -> _Decision:
        """Choose strength and threshold for the best mean F1 on held-out pairs, then calibrate."""
        best, strength, threshold = -1.0, 0.0, 0.0
        for tried in _STRENGTHS:
            logits, hits = self._held_out(vectors, labels, tried)
            for cut in np.quantile(logits, np.linspace(0, 1, _THRESHOLDS, endpoint=False)):
                reached = _mean_f1(logits, hits, sizes, cut)
                if reached > best:
                    best, strength, threshold = reached, tried, float(cut)
        return _Decision(strength, threshold, _calibrated(*self._held_out(vectors, labels, strength)))

    def _held_out(
        self, vectors: Vectors, labels: sparse.csr_array, strength: float
    ) -> tuple[Single, npt.NDArray[np.bool_]]:
        parts = list(self._candidates(vectors, strength))
        candidates = _Candidates(np.concatenate([p.words for p in parts]), np.concatenate([p.logits for p in parts]))
        return candidates.logits, candidates.hits(labels)

    def _candidates(self, vectors: Vectors, strength: float) -> Iterator[_Candidates]:
        import torch

        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            logits = self.scorer_.logits(vectors[start : start + _ROWS_AT_ONCE], strength)
            likeliest = torch.topk(torch.from_numpy(logits), self.depth_, dim=1)
            yield _Candidates(likeliest.indices.numpy(), likeliest.values.numpy())

    def _check(self, vectors: Vectors, texts: Sequence[str]) -> None:
        if self.recipe not in ("default", "paper"):
            raise InputError(f"The 'recipe' parameter must be 'default' or 'paper'. Got '{self.recipe}' instead.")
        for name, floor in {"epochs": 0, "vocabulary_size": 1}.items():
            if getattr(self, name) < floor:
                raise InputError(f"The '{name}' parameter must be at least {floor}. Got {getattr(self, name)} instead.")
        if len(vectors) != len(texts):
            raise InputError(f"{len(vectors)} vectors but {len(texts)} texts; fit needs one text a vector")
        if len(texts) < 20:
            raise InputError(f"{len(texts)} pairs are too few to learn from; fit needs at least 20")


def _mean_f1(logits: Single, hits: npt.NDArray[np.bool_], sizes: npt.NDArray[np.int64], threshold: float) -> float:
    claimed = logits > threshold
    scores = 2 * (claimed & hits).sum(axis=1) / np.maximum(claimed.sum(axis=1) + sizes, 1)
    return float(scores[sizes > 0].mean()) if (sizes > 0).any() else 0.0


def _calibrated(logits: Single, hits: npt.NDArray[np.bool_]) -> Callable[[Single], Floats]:
    """Isotonic regression, on the candidates that a reader would be shown."""
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression(y_min=0.001, y_max=0.999).fit(logits.ravel(), hits.ravel())
    return lambda scores: np.interp(scores, fitted.X_thresholds_, fitted.y_thresholds_)
