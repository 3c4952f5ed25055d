"""Random projection (C9): fewer columns, each a random mixture of all."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.checks import check_count
from vestige.defenses.defense import FixedMap
from vestige.types import Singles, Vectors


class RandomProjection(FixedMap):
    """Vectors times a matrix of Gaussian numbers of variance 1 / `dimension`.

    Guarantee: none. Squared distances stay within a share e of what they were, for all of n vectors at once and but for
    one draw in n, where `dimension` is at least 6 ln(n) / (e² / 2 - e³ / 3) (Johnson and Lindenstrauss; Dasgupta and
    Gupta 2003), and whatever reads distances reads on.
    Shapes: (n, d) to (n, `dimension`), which may be as large as d or larger.
    Paper: Chen 2023, Section 6.0.2.
    """

    strength: ClassVar[str | None] = "dimension"
    learned: ClassVar[tuple[str, ...]] = ("matrix_",)
    matrix_: Singles

    def __init__(self, *, dimension: int = 64) -> None:
        self.dimension = dimension

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_count("dimension", self.dimension, 1)

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        drawn = rng.normal(0, self.dimension**-0.5, (vectors.shape[1], self.dimension))
        self.matrix_ = drawn.astype(np.float32)

    def _map(self, vectors: Vectors) -> Singles:
        return vectors @ self.matrix_
