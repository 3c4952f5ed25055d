"""Subspace projection: the directions that reveal a keyword are projected out."""

from typing import Any, ClassVar, Literal

import numpy as np

from vestige.checks import check_above, check_choice
from vestige.defenses.concepts import as_concepts, between_class_directions, within_class_scatter
from vestige.defenses.defense import DefenseInfo, FixedMap
from vestige.errors import InputError
from vestige.types import Floats, Singles, Vectors

SHARE = 0.01


class SubspaceProjection(FixedMap):
    """Vectors projected onto the complement of a few directions.

    `scatter="between"` removes the directions in which the class means differ, one fewer than there are classes.
    `scatter="within"` is the paper as written: it removes the first `share` · d eigenvectors of the scatter *around*
    the class means. These are the directions of largest spread, whatever the keyword, so they hide it only by chance.
    `share` defaults to one in a hundred; it does not apply to "between".

    `normalise` scales the result to unit length, as published. That reveals part of the classes again: the original
    length of a vector then shows how much of it was removed. Cosines are the same either way.

    Guarantee: none for "within", nor with `normalise`. For "between" no linear classifier separates the classes of the
    vectors that the defense was fitted on; nonlinear classifiers still may.
    Shapes: (n, d) to (n, d); labels are n classes, or a table of flags with one column per keyword.
    Paper: Pan et al., IEEE S&P 2020, Section VII (4) and Appendix C. `share` is their beta; where they write a sum of
    projections they must mean the product, since the sum would leave most of each direction in place.
    """

    info = DefenseInfo(
        "subspace",
        "directions of labels projected out; as published: subspace:SHARE,scatter=within,norm=true; needs labels",
        paper="Pan et al. 2020, Section VII",
        needs="labels",
        strength="share",
        recipes=("subspace:0.01,scatter=within,normalise=true",),
        explanation="Drops the directions in which the classes of the given labels differ.",
    )
    learned: ClassVar[tuple[str, ...]] = ("directions_",)
    directions_: Floats

    def __init__(
        self, *, share: float | None = None, scatter: Literal["between", "within"] = "between", normalise: bool = False
    ) -> None:
        self.share = share
        self.scatter = scatter
        self.normalise = normalise

    def check_settings(self) -> None:
        """Raise InputError if a setting is invalid."""
        check_choice("scatter", self.scatter, ("between", "within"))
        if self.share is not None:
            check_above("share", self.share, 0, 1)
            if self.scatter == "between":
                raise InputError(
                    "The 'share' parameter is for scatter=within; scatter=between removes as many directions as there "
                    f"are classes to hide. Got {self.share} instead of none: drop it, or add scatter=within."
                )
        check_choice("normalise", self.normalise, (True, False))

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        concepts = as_concepts(labels, len(vectors))
        if self.scatter == "between":
            self.directions_ = between_class_directions(vectors, concepts)
        else:
            removed = max(1, round((SHARE if self.share is None else self.share) * vectors.shape[1]))
            self.directions_ = np.linalg.eigh(within_class_scatter(vectors, concepts))[1].T[::-1][:removed].copy()

    def _transform_block(self, vectors: Vectors) -> Singles:
        projected = vectors - (vectors @ self.directions_.T) @ self.directions_
        if self.normalise:
            lengths = np.linalg.norm(projected, axis=1, keepdims=True)
            projected = projected / np.maximum(lengths, np.finfo(np.float32).tiny)
        return projected.astype(np.float32)
