"""Keyword inference without texts like the victims' (P5): what is learned elsewhere is carried over."""

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Self

import numpy as np

from vestige.attacks.blocks import blocks
from vestige.attacks.checks import check_floor
from vestige.attacks.keywords.centring import domain_centres
from vestige.attacks.keywords.checks import as_keywords, as_labels, check_both_sides
from vestige.attacks.keywords.examples import Examples
from vestige.checks import as_vectors
from vestige.errors import InputError, NotFitted
from vestige.types import Flags, Floats, KeywordGuesses, Progress, Vectors, silent

if TYPE_CHECKING:
    from vestige.attacks.keywords.networks import Networks

_ROWS_AT_ONCE = 256


class DomainAdversarialKeyword:
    """Tells whether a text holds a keyword, by what the vectors of unrelated texts and of the victims have in common.

    The adversary sees: vectors of unrelated texts that it labelled itself (`text.substitution.external_examples`), and
    the vectors of the victims, without their texts. Black box.
    Shapes: `fit` takes (n, d) vectors, (n, K) labels and (v, d) victims; `infer` takes (m, d) and gives (m, K).
    Paper: Pan et al., IEEE S&P 2020, Section VI-B and Appendix I. Line 8 of its Algorithm 1 subtracts the keyword loss
    from itself; the second gradient is the domain loss's here.

    A network a keyword: `shared` sigmoid units (25), a head for the keyword, and one for the domain whose gradient is
    reversed times `reversal` (1); Adam 1e-3, batches of 64, `epochs` (50). `adapt=False` is the same network without
    the second head. `infer` gives the mean of what the networks say after each epoch, `by_epoch` each of them.
    `centred=True` is ours: the mean of the unrelated vectors is taken off these, and that of the victims off theirs.
    """

    def __init__(
        self,
        *,
        shared: int = 25,
        reversal: float = 1.0,
        epochs: int = 50,
        adapt: bool = True,
        centred: bool = False,
    ) -> None:
        self.shared = shared
        self.reversal = reversal
        self.epochs = epochs
        self.adapt = adapt
        self.centred = centred

    def fit(
        self,
        vectors: Vectors,
        labels: Flags,
        *,
        keywords: Sequence[str],
        victims: Vectors,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Self:
        """Learn from labelled vectors: `labels[i, k]` says whether text i holds keyword k."""
        check_floor("shared", self.shared, 1)
        check_floor("reversal", self.reversal, 0)
        check_floor("epochs", self.epochs, 1)
        self.keywords_ = as_keywords(keywords)
        vectors = as_vectors(vectors)
        labels = as_labels(labels, len(vectors), self.keywords_)
        check_both_sides(labels, self.keywords_, "give examples of both")
        victims = as_vectors(victims, vectors.shape[1])
        if not len(victims) and (self.adapt or self.centred):
            raise InputError("there are no victims to adapt to; give the vectors under attack")
        self.networks_: list[Networks] = []
        home, self.centre_ = (
            domain_centres(vectors, victims) if self.centred else np.zeros((2, vectors.shape[1]), np.float32)
        )
        self._train(vectors - home, labels, victims - self.centre_, rng, progress)
        return self

    def infer(self, vectors: Vectors) -> KeywordGuesses:
        """The mean of what the networks say after each epoch."""
        found = self._probabilities(vectors)
        return KeywordGuesses(self.keywords_, found.mean(axis=0))

    def by_epoch(self, vectors: Vectors) -> list[KeywordGuesses]:
        """What the networks say after each epoch, first to last."""
        return [KeywordGuesses(self.keywords_, each) for each in self._probabilities(vectors)]

    def _train(
        self, vectors: Vectors, labels: Flags, victims: Vectors, rng: np.random.Generator, progress: Progress
    ) -> None:
        from vestige.attacks.keywords.networks import Training, begun, train

        train(
            begun(len(self.keywords_), len(self.centre_), self.shared, rng),
            Examples.of(vectors, labels),
            Training(self.epochs, self.reversal),
            rng=rng,
            victims=victims if self.adapt else None,
            after_epoch=lambda trained: self.networks_.append(deepcopy(trained)),
            progress=progress,
        )

    def _probabilities(self, vectors: Vectors) -> Floats:
        """(epochs, m, K)."""
        if not hasattr(self, "networks_"):
            raise NotFitted(
                "DomainAdversarialKeyword.infer was called before fit; "
                "call fit(vectors, labels, keywords=..., victims=..., rng=...) first"
            )
        import torch

        found = np.empty((len(self.networks_), len(vectors), len(self.keywords_)))
        start = 0
        for block, count in blocks(as_vectors(vectors, len(self.centre_)) - self.centre_, _ROWS_AT_ONCE):
            given = torch.from_numpy(block)
            for epoch, networks in enumerate(self.networks_):
                found[epoch, start : start + count] = networks.probabilities(given)[:count]
            start += count
        return found
