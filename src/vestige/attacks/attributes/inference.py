"""Attribute inference (S8): the class of each text, such as its author, from a few labelled vectors a class."""

from collections.abc import Sequence
from typing import Literal, Protocol, Self

import numpy as np
from scipy.special import softmax

from vestige.attacks.attributes.choice import choose
from vestige.attacks.attributes.labels import as_labels
from vestige.attacks.attributes.published import train_softmax
from vestige.attacks.blocks import blocks
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import LabelGuesses, Progress, Singles, Vectors, silent

_ROWS_AT_ONCE = 512


class Scorer(Protocol):
    """Whatever scores classes."""

    def logits(self, vectors: Vectors) -> Singles:
        """A row a vector, a column a class."""


class AttributeInference:
    """Tells which of many classes a text belongs to: who wrote it, where its author lives, what it is about.

    The adversary sees: vectors with the attribute of each, ten to fifty a class, and the target vectors. Black box; the
    texts themselves it need not have.
    Shapes: `fit` takes (n, d) vectors and n labels, `infer` takes (m, d) and gives (m, classes) probabilities.
    Paper: Song and Raghunathan, CCS 2020, Section 4, Algorithm 3.

    `recipe="default"` is closed: Gaussian classes with Gaussian means, settings and calibration from held-out rows.
    `recipe="song"` is the published linear softmax (Section 6.3). A row without a label (None, NaN, blank) is left out;
    `missing_` counts them. Classes count as often as they occur among the labels.
    """

    def __init__(self, *, recipe: Literal["default", "song"] = "default") -> None:
        self.recipe = recipe

    def fit(
        self,
        vectors: Vectors,
        labels: Sequence[str | None],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from labelled vectors; `documents` says which belong together, so that calibration parts none."""
        check_choice("recipe", self.recipe, ("default", "song"))
        vectors = as_vectors(vectors)
        known = as_labels(labels, len(vectors))
        if documents is not None:
            if len(documents) != len(vectors):
                raise InputError(f"{len(vectors)} vectors but {len(documents)} documents; give the document of each")
            documents = [documents[row] for row in known.rows]
        known_vectors, classes, names = vectors[known.rows], known.classes, len(known.names)
        if self.recipe == "song":
            self.scorer_: Scorer = train_softmax(known_vectors, classes, names, rng=rng, progress=progress)
        else:
            self.choice_ = choose(known_vectors, classes, rng=rng, documents=documents, progress=progress)
            self.scorer_ = self.choice_.fit(known_vectors, classes, names)
        self.labels_, self.missing_, self.columns_ = known.names, known.missing, vectors.shape[1]
        return self

    def infer(self, vectors: Vectors) -> LabelGuesses:
        """How likely each class is, vector by vector."""
        if not hasattr(self, "scorer_"):
            raise NotFitted("AttributeInference.infer was called before fit; call fit(vectors, labels, rng=...) first")
        vectors = as_vectors(vectors, self.columns_)
        found = np.empty((len(vectors), len(self.labels_)))
        for place, (block, count) in enumerate(blocks(vectors, _ROWS_AT_ONCE)):
            found[place * _ROWS_AT_ONCE :][:count] = softmax(
                self.scorer_.logits(block)[:count].astype(np.float64), axis=1
            )
        return LabelGuesses(self.labels_, found)
