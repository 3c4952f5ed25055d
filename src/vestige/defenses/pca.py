"""Principal components (C9): the directions of most spread stay, the rest goes."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.checks import check_count
from vestige.defenses.defense import FixedMap
from vestige.types import Singles, Vectors


class PrincipalComponents(FixedMap):
    """The coordinates of centred vectors along the first `dimension` principal components.

    Guarantee: none. What many texts share stays, and most of what is read from vectors is of that kind.
    Shapes: (n, d) to (n, `dimension`); `fit` needs as many vectors as columns that stay.
    Paper: Chen 2023, Section 6.0.3.
    """

    strength: ClassVar[str | None] = "dimension"
    learned: ClassVar[tuple[str, ...]] = ("mean_", "components_")
    mean_: Singles
    components_: Singles

    def __init__(self, *, dimension: int = 64) -> None:
        self.dimension = dimension

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_count("dimension", self.dimension, 1)

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        check_count("dimension", self.dimension, 1, min(vectors.shape))
        mean = vectors.mean(axis=0, dtype=np.float64)
        _, directions = np.linalg.eigh((vectors - mean).T @ (vectors - mean))
        self.mean_ = mean.astype(np.float32)
        self.components_ = np.ascontiguousarray(directions.T[::-1][: self.dimension], np.float32)

    def _map(self, vectors: Vectors) -> Singles:
        centred: Singles = vectors - self.mean_
        return centred @ self.components_.T
