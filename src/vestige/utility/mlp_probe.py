"""Can a small network tell the classes of texts from their vectors (P12)? The systems that the vectors are made for."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from vestige.errors import InputError, NotFitted
from vestige.metrics.bootstrap import document_mean
from vestige.types import Flags, Score, Vectors
from vestige.utility.labelled import class_sizes

DEAD = 1e-4
"""Of the largest spread of a column: below it there is nothing but rounding."""


@dataclass
class MlpProbe:
    """A perceptron with one hidden layer of sigmoid units on vectors of equal spread.

    Shapes: `fit` takes (n, d) vectors and n labels, `predict` takes (m, d) and gives m labels, `score` a `Score`.
    Paper: Pan et al., IEEE S&P 2020, Appendix A: splice-site prediction and the routing of patients, 200 `units`. How
    they are trained is not stated (here: Adam, `rate` 1e-3, batches of 128, `epochs` at most, stopped when a tenth of
    the training texts has not gained for ten).
    """

    units: int = 200
    epochs: int = 200
    rate: float = 1e-3

    def fit(self, vectors: Vectors, labels: Sequence[str], *, rng: np.random.Generator) -> Self:
        """Train until the texts set aside gain no more."""
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
        self.columns_ = living(vectors)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.classifier_ = make_pipeline(StandardScaler(), network).fit(
                vectors[:, self.columns_], np.asarray(labels)
            )
        names, counts = np.unique(np.asarray(labels), return_counts=True)
        self.majority_ = str(names[counts.argmax()])
        return self

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
        """Accuracy on texts it has not seen, with an interval over documents; a document a text where none is named.

        The baseline is what the most frequent class of the training texts would have.
        """
        if not len(vectors) == len(labels):
            raise InputError(f"{len(vectors)} vectors but {len(labels)} labels; score needs one label a vector")
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
        sizes = class_sizes(vectors, labels)
        rarest = min(sizes, key=lambda name: sizes[name])
        if sizes[rarest] < 2 or len(labels) < 10 * len(sizes):
            raise InputError(
                f"{len(labels)} labels of {len(sizes)} classes, {sizes[rarest]} of '{rarest}'; "
                "expected ten a class on average and two of each, since a tenth is set aside; give more"
            )


def living(vectors: Vectors) -> Flags:
    """The columns that tell texts apart; all, where none does.

    Three of MiniLM's 384 hold rounding errors (1e-33, 1e-9). To give all columns the same spread would stretch these as
    well, and the least noise in them would then drown all others: it would be the dead columns that cost the use.
    """
    spread = vectors.std(axis=0, dtype=np.float64)
    return np.asarray(spread >= DEAD * spread.max())
