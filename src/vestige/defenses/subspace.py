"""Subspace projection (P7): the directions that tell a keyword are projected out."""

from typing import Any, ClassVar, Literal

import numpy as np

from vestige.checks import check_choice
from vestige.defenses.checks import check_above
from vestige.defenses.concepts import as_concepts, members
from vestige.defenses.defense import FixedMap
from vestige.errors import InputError
from vestige.types import Floats, Integers, Singles, Vectors

SHARE = 0.01
_NOTHING = 1e-7
"""A direction along which class means differ by less than this, in proportion, is rounding."""


class SubspaceProjection(FixedMap):
    """Vectors projected away from a few directions.

    `scatter="between"` takes the directions in which the means of the classes differ, one fewer than there are classes.
    `scatter="within"` is the paper as written: the first `share` · d eigenvectors of the scatter *around* the mean of
    each class. These are the directions of most spread, whatever the keyword, so that they hide it only by chance.
    `share` is one in a hundred where it is not given; "between" has none.

    `normalise` makes the result unit length, as published, which brings some of the classes back: how long a vector
    was then tells how much of it was taken away. Cosines are the same without.

    Guarantee: none for "within", nor with `normalise`. For "between" no linear classifier tells the classes of the
    vectors it was fitted on; other classifiers may tell them still.
    Shapes: (n, d) to (n, d); labels are n classes, or a table of flags with a column a keyword.
    Paper: Pan et al., IEEE S&P 2020, Section VII (4) and Appendix C. `share` is their beta; where they write a sum of
    projections the product is meant, since the sum would leave most of each direction in place.
    """

    needs = "labels"
    strength: ClassVar[str | None] = "share"
    learned: ClassVar[tuple[str, ...]] = ("directions_",)
    directions_: Floats

    def __init__(
        self, *, share: float | None = None, scatter: Literal["between", "within"] = "between", normalise: bool = False
    ) -> None:
        self.share = share
        self.scatter = scatter
        self.normalise = normalise

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_choice("scatter", self.scatter, ("between", "within"))
        if self.share is not None:
            check_above("share", self.share, 0, 1)
            if self.scatter == "between":
                raise InputError(
                    "The 'share' parameter is for scatter=within; scatter=between takes as many directions as there "
                    f"are classes to tell. Got {self.share} instead of none: leave it out, or add scatter=within."
                )
        check_choice("normalise", self.normalise, (True, False))

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        concepts = as_concepts(labels, len(vectors))
        if self.scatter == "between":
            self.directions_ = between_classes(vectors, concepts)
        else:
            kept = max(1, round((SHARE if self.share is None else self.share) * vectors.shape[1]))
            self.directions_ = np.linalg.eigh(within_classes(vectors, concepts))[1].T[::-1][:kept].copy()

    def _map(self, vectors: Vectors) -> Singles:
        found = vectors - (vectors @ self.directions_.T) @ self.directions_
        if self.normalise:
            found = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return found.astype(np.float32)


def between_classes(vectors: Vectors, concepts: Integers) -> Floats:
    """Orthonormal directions, a row each, in which the means of classes differ."""
    belongs, centred = members(concepts), _centred(vectors)
    _, lengths, directions = np.linalg.svd(_means(centred, belongs), full_matrices=False)
    found: Floats = directions[lengths > _NOTHING * np.linalg.norm(centred, axis=1).mean()]
    return found


def within_classes(vectors: Vectors, concepts: Integers) -> Floats:
    """The covariances around the mean of each class, summed: means of squares less the squares of means."""
    belongs, centred = members(concepts), _centred(vectors)
    weights = (belongs / belongs.sum(axis=0)).sum(axis=1)
    means = _means(centred, belongs)
    found: Floats = (centred * weights[:, None]).T @ centred - means.T @ means
    return found


def _centred(vectors: Vectors) -> Floats:
    found: Floats = vectors - vectors.mean(axis=0, dtype=np.float64)
    return found


def _means(centred: Floats, belongs: Floats) -> Floats:
    found: Floats = belongs.T @ centred / belongs.sum(axis=0)[:, None]
    return found
