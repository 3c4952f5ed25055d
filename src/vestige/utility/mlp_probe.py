"""Can a small network predict the classes of texts from their vectors?

It stands for the downstream systems that the vectors are made for (Pan et al. 2020, Appendix A).
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from vestige.errors import InputError, NotFitted
from vestige.metrics.intervals import document_mean
from vestige.nn.interrupts import pass_interrupts
from vestige.types import Flags, Score, TrainingLog, Vectors
from vestige.utility.linear_probe import count_classes

DEAD = 1e-4
"""Relative to the column with the largest spread; a column below it contains only rounding errors."""


@dataclass
class MlpProbe:
    """A perceptron with one hidden layer of sigmoid units on standardised vectors.

    Shapes: `fit` takes (n, d) vectors and n labels, `predict` takes (m, d) and returns m labels, `score` a `Score`.
    Paper: Pan et al., IEEE S&P 2020, Appendix A: splice-site prediction and the routing of patients, 200 `units`. Their
    training is not described (here: Adam, `rate` 1e-3, batches of 128, `epochs` at most, stopped when the accuracy on a
    tenth of the training texts has not improved for ten).
    """

    units: int = 200
    epochs: int = 200
    rate: float = 1e-3

    def fit(self, vectors: Vectors, labels: Sequence[str], *, rng: np.random.Generator) -> Self:
        """Train until the accuracy on held-out texts stops improving."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.neural_network import MLPClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        self._check(vectors, labels)
        network = MLPClassifier(
            (self.units,),
            activation="logistic",
            batch_size=min(128, len(labels) // 2),
            learning_rate_init=self.rate,
            max_iter=self.epochs,
            early_stopping=True,
            random_state=int(rng.integers(2**31)),
        )
        self.columns_ = find_live_columns(vectors)
        with pass_interrupts(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.classifier_ = make_pipeline(StandardScaler(), network).fit(
                vectors[:, self.columns_], np.asarray(labels)
            )
        names, counts = np.unique(np.asarray(labels), return_counts=True)
        self.majority_ = str(names[counts.argmax()])
        return self

    @property
    def log_(self) -> TrainingLog:
        """How the training ended; the curve is the share of wrong classes among the held-out texts."""
        network = self.classifier_[-1]
        rule = f"until the accuracy on a tenth of the texts has not improved for ten epochs, at most {self.epochs}"
        curve = tuple((epoch, 1 - float(score)) for epoch, score in enumerate(network.validation_scores_, 1))
        return TrainingLog(rule, network.n_iter_ < self.epochs, int(network.n_iter_), curve)

    def predict(self, vectors: Vectors) -> list[str]:
        """The class of each vector."""
        if not hasattr(self, "classifier_"):
            raise NotFitted("MlpProbe.predict was called before fit; call fit(vectors, labels, rng=...) first")
        predicted: list[str] = self.classifier_.predict(vectors[:, self.columns_]).tolist() if len(vectors) else []
        return predicted

    def score(
        self,
        vectors: Vectors,
        labels: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
    ) -> Score:
        """Accuracy on unseen texts, with an interval over documents; by default, each text is its own document.

        The baseline is the accuracy of the most frequent class of the training texts.
        """
        if not len(vectors) == len(labels):
            raise InputError(f"{len(vectors)} vectors but {len(labels)} labels; score requires one label per vector")
        truth = np.asarray(labels)
        owners = documents or [str(row) for row in range(len(labels))]
        hits = np.asarray(self.predict(vectors)) == truth
        return document_mean(hits, owners, rng, baseline=float((truth == self.majority_).mean()))

    def _check(self, vectors: Vectors, labels: Sequence[str]) -> None:
        if self.units < 1:
            raise InputError(f"The 'units' parameter must be at least 1. Got {self.units} instead.")
        if self.epochs < 1:
            raise InputError(f"The 'epochs' parameter must be at least 1. Got {self.epochs} instead.")
        if not self.rate > 0:
            raise InputError(f"The 'rate' parameter must be above 0. Got {self.rate} instead.")
        sizes = count_classes(vectors, labels)
        rarest = min(sizes, key=lambda name: sizes[name])
        if sizes[rarest] < 2 or len(labels) < 10 * len(sizes):
            raise InputError(
                f"{len(labels)} labels of {len(sizes)} classes, {sizes[rarest]} of '{rarest}'; "
                "expected ten per class on average and two of each, since a tenth is held out; give more"
            )


def find_live_columns(vectors: Vectors) -> Flags:
    """The columns that differ between texts; all columns if none does.

    Three of MiniLM's 384 columns contain only rounding errors (1e-33, 1e-9). Standardising would scale these up as
    well, and a little noise in them would then drown all other columns: dead columns would determine the utility.
    """
    spread = vectors.std(axis=0, dtype=np.float64)
    return np.asarray(spread >= DEAD * spread.max())
