"""Can a linear classifier tell the classes of texts from their vectors (R2)?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from scipy import sparse

from vestige.errors import InputError, NotFitted
from vestige.metrics.macro_f1 import macro_f1
from vestige.types import Score, Vectors
from vestige.utility.labelled import class_sizes

Grid = Mapping[str, Sequence[Any]]

PUBLISHED_GRID: Grid = {
    "loss": ("hinge", "log_loss"),
    "penalty": ("l1", "l2", "elasticnet"),
    "alpha": (1e-1, 1e-2, 1e-3, 1e-4, 1e-5),
    "n_iter_no_change": (5, 10, 20, 30),
}
"""Every combination that the thesis tries."""

ONE_PATIENCE: Grid = {**PUBLISHED_GRID, "n_iter_no_change": (5,)}
"""The same but for the patience, which costs four times the time."""

SHORT_GRID: Grid = {"loss": ("hinge", "log_loss"), "penalty": ("l2",), "alpha": (1e-3, 1e-4, 1e-5)}
"""The corner of it in which the best setting mostly lies, for runs of minutes."""

_SPARSE_BELOW = 0.1


@dataclass
class LinearProbe:
    """A linear classifier whose loss, penalty, strength and patience are chosen by cross-validation on macro-F1.

    Shapes: `fit` takes (n, d) vectors and n labels, `predict` takes (m, d) and gives m labels, `score` a `Score`.
    Paper: Corò 2022, Section 4.1.3: SGDClassifier, `folds` = 5, training of each candidate stopped early on a tenth of
    its texts, learning rate 1 / (alpha · (t + t0)). The thesis names no scorer of the search; it is macro-F1 here, the
    measure in its tables.
    """

    grid: Grid = field(default_factory=lambda: PUBLISHED_GRID)
    folds: int = 5
    jobs: int = 1

    def fit(self, vectors: Vectors, labels: Sequence[str], *, rng: np.random.Generator) -> Self:
        """Search the grid, then train the best setting on all of it."""
        from sklearn import config_context
        from sklearn.linear_model import SGDClassifier
        from sklearn.model_selection import GridSearchCV, StratifiedKFold

        self._check(vectors, labels)
        seed = int(rng.integers(2**31))
        search = GridSearchCV(
            SGDClassifier(early_stopping=True, random_state=seed),
            {name: list(values) for name, values in self.grid.items()},
            scoring="f1_macro",
            cv=StratifiedKFold(self.folds, shuffle=True, random_state=seed),
            n_jobs=self.jobs,
        )
        # Whatever scikit-learn would check is checked; checking it anew in every epoch takes longer than learning.
        with config_context(assume_finite=True, skip_parameter_validation=True):
            search.fit(_compact(vectors), np.asarray(labels))
        self.chosen_: dict[str, Any] = search.best_params_
        self.classifier_ = search.best_estimator_
        return self

    def predict(self, vectors: Vectors) -> list[str]:
        """The class of each vector."""
        if not hasattr(self, "classifier_"):
            raise NotFitted("LinearProbe.predict was called before fit; call fit(vectors, labels, rng=...) first")
        predicted: list[str] = self.classifier_.predict(_compact(vectors)).tolist() if len(vectors) else []
        return predicted

    def score(
        self,
        vectors: Vectors,
        labels: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
    ) -> Score:
        """Macro-F1 on texts it has not seen, with an interval over documents; a document a text where none is named."""
        owners = documents or [str(row) for row in range(len(labels))]
        return macro_f1(self.predict(vectors), labels, owners, rng)

    def _check(self, vectors: Vectors, labels: Sequence[str]) -> None:
        if self.folds < 2:
            raise InputError(f"The 'folds' parameter must be at least 2. Got {self.folds} instead.")
        sizes = class_sizes(vectors, labels)
        rarest = min(sizes, key=lambda name: sizes[name])
        if sizes[rarest] < self.folds:
            raise InputError(
                f"class '{rarest}' has {sizes[rarest]} texts; expected at least {self.folds}, one a fold; "
                "give more, or leave it out"
            )


def _compact(vectors: Vectors) -> Vectors | sparse.csr_array:
    """Counts of words, mostly zeros, go in as a sparse matrix: many times faster, and what the thesis gave it.

    scikit-learn moves the intercept a hundred times slower then, so that the classes may differ a little.
    """
    filled = np.count_nonzero(vectors) / max(vectors.size, 1)
    return sparse.csr_matrix(vectors) if filled < _SPARSE_BELOW else vectors
