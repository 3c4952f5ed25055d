"""LEACE: the least change after which no linear classifier tells a concept."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.concepts import as_concepts, members
from vestige.defenses.defense import FixedMap
from vestige.errors import MissingExtra
from vestige.types import Floats, Singles, Vectors

_ROUNDING = 1e-9


class Leace(FixedMap):
    """Vectors less what is linearly related to the labels.

    Guarantee: on the vectors it was fitted on no linear classifier, of whatever convex loss, does better than a
    constant guess, and no other affine map that achieves this changes the vectors less (in the mean square). On other
    vectors this holds as far as those it was fitted on are like them; a classifier that is not linear may tell the
    labels still.
    Shapes: (n, d) to (n, d); labels are n classes, or a table of flags with a column a keyword.
    Paper: Belrose et al., NeurIPS 2023, by the library `concept-erasure`; once fitted, it is not needed.
    """

    needs = "labels"
    learned: ClassVar[tuple[str, ...]] = ("left_", "right_", "mean_")
    left_: Floats
    right_: Floats
    mean_: Floats

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        try:
            from concept_erasure import LeaceFitter
        except ImportError as missing:
            raise MissingExtra("'concept-erasure'", "leace") from missing
        import torch

        belongs = torch.from_numpy(members(as_concepts(labels, len(vectors))))
        # By default the library leaves in place what correlates little, so that a rare class would stay readable, and
        # measures change by another covariance than the vectors have, so that it is not the least.
        known = torch.from_numpy(vectors.astype(np.float64))
        eraser = LeaceFitter.fit(known, belongs, svd_tol=_ROUNDING, constrain_cov_trace=False, shrinkage=False).eraser
        used = eraser.proj_right.abs().sum(dim=1).numpy() > 0
        self.left_ = eraser.proj_left.numpy()[:, used].copy()
        self.right_ = eraser.proj_right.numpy()[used].copy()
        self.mean_ = eraser.bias.numpy().copy()

    def _map(self, vectors: Vectors) -> Singles:
        related = (vectors - self.mean_) @ self.right_.T
        return (vectors - related @ self.left_.T).astype(np.float32)
