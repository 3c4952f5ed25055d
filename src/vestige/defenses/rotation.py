"""A secret rotation: obscurity, and nothing more."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.defense import DefenseInfo, FixedMap
from vestige.types import Singles, Vectors


class RandomRotation(FixedMap):
    """Vectors multiplied by a random orthogonal matrix.

    Guarantee: none. All distances and cosines stay the same, so search works as before, and so does every attack that
    is fitted on rotated vectors; d known pairs reveal the matrix by least squares. It stops only an adversary without
    pairs.
    Shapes: (n, d) to (n, d).
    """

    info = DefenseInfo("rotation", "a secret rotation: obscurity only", secret="the rotation itself")
    learned: ClassVar[tuple[str, ...]] = ("matrix_",)
    matrix_: Singles

    def _fit(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        orthogonal, triangle = np.linalg.qr(rng.standard_normal((vectors.shape[1],) * 2))
        # Rotations are uniformly distributed only after this correction of the signs (Mezzadri 2007).
        self.matrix_ = (orthogonal * np.sign(np.diag(triangle))).astype(np.float32)

    def _transform_block(self, vectors: Vectors) -> Singles:
        return vectors @ self.matrix_
