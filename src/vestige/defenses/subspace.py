"""Subspace projection (P10): the directions that tell a keyword are projected out."""

from typing import Any, ClassVar, Literal

import numpy as np

from vestige.defenses.checks import check_above, check_choice
from vestige.defenses.concepts import as_concepts, members
from vestige.defenses.defense import FixedMap
from vestige.types import Floats, Singles, Vectors

_NOTHING = 1e-7
"""A direction along which class means differ by less than this, in proportion, is rounding."""


class SubspaceProjection(FixedMap):
    """Vectors projected away from a few directions, then made unit length.

    `scatter="between"` takes the directions in which the means of the classes differ, one fewer than there are classes.
    `scatter="within"` is the paper as written: the first `share` · d eigenvectors of the scatter *around* the mean of
    each class. These are the directions of most spread, whatever the keyword, so that they hide it only by chance.

    Guarantee: none for "within". For "between" with `normalise=False` no linear classifier tells the classes of the
    vectors it was fitted on; `normalise` gives a little back, and other classifiers may tell them still.
    Shapes: (n, d) to (n, d); labels are n classes, or a table of flags with a column a keyword.
    Paper: Pan et al., IEEE S&P 2020, Section VII (4) and Appendix C. `share` is their beta; where they write a sum of
    projections the product is meant, since the sum would leave most of each direction in place.
    """

    needs = "labels"
    strength: ClassVar[str | None] = "share"
    learned: ClassVar[tuple[str, ...]] = ("directions_",)
    directions_: Floats

    def __init__(
        self, *, share: float = 0.01, scatter: Literal["between", "within"] = "between", normalise: bool = True
    ) -> None:
        self.share = share
        self.scatter = scatter
        self.normalise = normalise

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_above("share", self.share, 0, 1)
        check_choice("scatter", self.scatter, ("between", "within"))
        check_choice("normalise", self.normalise, (True, False))

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        concepts = as_concepts(labels, len(vectors))
        belongs = members(concepts)
        sizes = belongs.sum(axis=0)
        centred = vectors - vectors.mean(axis=0, dtype=np.float64)
        means = belongs.T @ centred / sizes[:, None]
        if self.scatter == "between":
            _, lengths, directions = np.linalg.svd(means, full_matrices=False)
            self.directions_ = directions[lengths > _NOTHING * np.linalg.norm(centred, axis=1).mean()]
        else:
            # The sum over classes of the covariances, each of which is a mean of squares less the square of the mean.
            weights = (belongs / sizes).sum(axis=1)
            around = (centred * weights[:, None]).T @ centred - means.T @ means
            kept = max(1, round(self.share * vectors.shape[1]))
            self.directions_ = np.linalg.eigh(around)[1].T[::-1][:kept].copy()

    def _map(self, vectors: Vectors) -> Singles:
        found = vectors - (vectors @ self.directions_.T) @ self.directions_
        if self.normalise:
            found = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return found.astype(np.float32)
