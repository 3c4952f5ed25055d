"""A secret rotation: obscurity, and nothing more."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.defense import FixedMap
from vestige.types import Singles, Vectors


class RandomRotation(FixedMap):
    """Vectors turned by a random orthogonal matrix.

    Guarantee: none. All distances and cosines stay, so that search works as before and so does every attack that is
    fitted on rotated vectors; d known pairs give the matrix away by least squares. It only stops a stranger who has
    none.
    Shapes: (n, d) to (n, d).
    """

    learned: ClassVar[tuple[str, ...]] = ("matrix_",)
    matrix_: Singles

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        turned, triangle = np.linalg.qr(rng.standard_normal((vectors.shape[1],) * 2))
        # Of all rotations each is as likely only with the signs of the diagonal put right (Mezzadri 2007).
        self.matrix_ = (turned * np.sign(np.diag(triangle))).astype(np.float32)

    def _map(self, vectors: Vectors) -> Singles:
        return vectors @ self.matrix_
