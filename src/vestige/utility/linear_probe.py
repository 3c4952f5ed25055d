"""Can a linear classifier predict the classes of texts from their vectors (Corò 2022, Section 4.1.3)?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from scipy import sparse

from vestige.errors import InputError, NotFitted
from vestige.metrics.macro_f1 import macro_f1
from vestige.types import Score, TrainingLog, Vectors

Grid = Mapping[str, Sequence[Any]]

PUBLISHED_GRID: Grid = {
    "loss": ("hinge", "log_loss"),
    "penalty": ("l1", "l2", "elasticnet"),
    "alpha": (1e-1, 1e-2, 1e-3, 1e-4, 1e-5),
    "n_iter_no_change": (5, 10, 20, 30),
}
"""Every combination that the thesis tries."""

ONE_PATIENCE: Grid = {**PUBLISHED_GRID, "n_iter_no_change": (5,)}
"""The same with one patience instead of four, in a quarter of the time."""

SHORT_GRID: Grid = {"loss": ("hinge", "log_loss"), "penalty": ("l2",), "alpha": (1e-3, 1e-4, 1e-5)}
"""The part of the grid that mostly contains the best setting, for runs of minutes."""

_SPARSE_BELOW = 0.1


@dataclass
class LinearProbe:
    """A linear classifier whose loss, penalty, strength and patience are chosen by cross-validation on macro-F1.

    Shapes: `fit` takes (n, d) vectors and n labels, `predict` takes (m, d) and returns m labels, `score` a `Score`.
    Paper: Corò 2022, Section 4.1.3: SGDClassifier, `folds` = 5, early stopping of each candidate on a tenth of its
    texts, learning rate 1 / (alpha · (t + t0)). The thesis does not name the criterion of the search; here it is
    macro-F1, the score in its tables.
    """

    grid: Grid = field(default_factory=lambda: PUBLISHED_GRID)
    folds: int = 5
    jobs: int = 1

    def fit(self, vectors: Vectors, labels: Sequence[str], *, rng: np.random.Generator) -> Self:
        """Search the grid, then train the best setting on all vectors."""
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
        # scikit-learn would repeat our checks in every epoch, which takes longer than the training.
        with config_context(assume_finite=True, skip_parameter_validation=True):
            search.fit(_compact(vectors), np.asarray(labels))
        self.chosen_: dict[str, Any] = search.best_params_
        self.classifier_ = search.best_estimator_
        self.log_ = _describe_training(self.classifier_)
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
        """Macro-F1 on unseen texts, with an interval over documents; by default, each text is its own document."""
        owners = documents or [str(row) for row in range(len(labels))]
        return macro_f1(self.predict(vectors), labels, owners, rng)

    def _check(self, vectors: Vectors, labels: Sequence[str]) -> None:
        if self.folds < 2:
            raise InputError(f"The 'folds' parameter must be at least 2. Got {self.folds} instead.")
        sizes = count_classes(vectors, labels)
        rarest = min(sizes, key=lambda name: sizes[name])
        if sizes[rarest] < self.folds:
            raise InputError(
                f"class '{rarest}' has {sizes[rarest]} texts; expected at least {self.folds}, one per fold; "
                "give more, or drop the class"
            )


def _describe_training(classifier: Any) -> TrainingLog:
    """How the training of the chosen setting ended: by its patience, or after all epochs that scikit-learn allows."""
    watched = "a tenth of the texts is predicted" if classifier.early_stopping else "the training texts are fitted"
    rule = (
        f"until {watched} no better for {classifier.n_iter_no_change} epochs, at most {classifier.max_iter}; "
        "converged if it ended so"
    )
    return TrainingLog(rule, classifier.n_iter_ < classifier.max_iter, int(classifier.n_iter_))


def _compact(vectors: Vectors) -> Vectors | sparse.csr_array:
    """Word counts, mostly zeros, become a sparse matrix: much faster, and as in the thesis.

    scikit-learn then updates the intercept a hundred times slower, so that predictions may differ slightly.
    """
    filled = np.count_nonzero(vectors) / max(vectors.size, 1)
    return sparse.csr_matrix(vectors) if filled < _SPARSE_BELOW else vectors


def count_classes(vectors: Vectors, labels: Sequence[str]) -> dict[str, int]:
    """How many texts each class has; there must be one label per finite vector, and two classes or more."""
    if len(vectors) != len(labels):
        raise InputError(f"{len(vectors)} vectors but {len(labels)} labels; fit requires one label per vector")
    if not np.isfinite(vectors).all():
        raise InputError("some vectors contain NaN or infinite values; drop those")
    names, counts = np.unique(np.asarray(labels), return_counts=True)
    if len(names) < 2:
        raise InputError(f"{len(names)} classes in {len(labels)} labels; expected at least two")
    return dict(zip(names.tolist(), counts.tolist(), strict=True))
