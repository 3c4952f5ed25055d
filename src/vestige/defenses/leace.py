"""LEACE: the smallest change after which no linear classifier predicts a concept."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.concepts import as_concepts, class_indicators
from vestige.defenses.defense import DefenseInfo, FixedMap
from vestige.errors import MissingExtra
from vestige.types import Floats, Singles, Vectors

_ROUNDING = 1e-9


class Leace(FixedMap):
    """Vectors minus their linear dependence on the labels.

    Guarantee: on the vectors that the defense was fitted on, no linear classifier, of whatever convex loss, does better
    than a constant guess, and no other affine map that achieves this changes the vectors less (in the mean square). On
    other vectors this holds as far as they resemble those; a nonlinear classifier may still predict the labels.
    Shapes: (n, d) to (n, d); labels are n classes, or a table of flags with one column per keyword.
    Paper: Belrose et al., NeurIPS 2023, through the library `concept-erasure`, which only `fit` needs.
    """

    info = DefenseInfo(
        "leace",
        "no linear classifier predicts the labels; needs labels",
        paper="Belrose et al. 2023, Section 4",
        needs="labels",
        library="concept_erasure",
        extra="leace",
        explanation="Removes what a linear classifier needs to infer the given labels, and changes nothing else.",
    )
    learned: ClassVar[tuple[str, ...]] = ("left_", "right_", "mean_")
    left_: Floats
    right_: Floats
    mean_: Floats

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        try:
            from concept_erasure import LeaceFitter
        except ImportError as missing:
            raise MissingExtra("'concept-erasure'", "leace") from missing
        import torch

        belongs = torch.from_numpy(class_indicators(as_concepts(labels, len(vectors))))
        # By default the library ignores small correlations, so that a rare class stays readable, and measures the
        # change with another covariance than that of the vectors, so that it is not the smallest.
        known = torch.from_numpy(vectors.astype(np.float64))
        eraser = LeaceFitter.fit(known, belongs, svd_tol=_ROUNDING, constrain_cov_trace=False, shrinkage=False).eraser
        used = eraser.proj_right.abs().sum(dim=1).numpy() > 0
        self.left_ = eraser.proj_left.numpy()[:, used].copy()
        self.right_ = eraser.proj_right.numpy()[used].copy()
        self.mean_ = eraser.bias.numpy().copy()

    def _transform_block(self, vectors: Vectors) -> Singles:
        related = (vectors - self.mean_) @ self.right_.T
        return (vectors - related @ self.left_.T).astype(np.float32)
