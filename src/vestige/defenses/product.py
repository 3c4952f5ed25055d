"""Product quantisation as vector stores do it: each piece of a vector becomes the nearest of a few seen before."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.checks import check_count
from vestige.defenses.defense import FixedMap
from vestige.errors import InputError, MissingExtra
from vestige.types import Singles, Vectors


class ProductQuantisation(FixedMap):
    """A vector cut into `parts`, each replaced by the nearest of 2^`bits` centroids of such parts.

    Guarantee: none.
    Shapes: (n, d) to (n, d), what the codes stand for; d must be a multiple of `parts`.
    Paper: Jégou, Douze and Schmid, TPAMI 2011. The centroids are those of faiss; once fitted, faiss is not needed.
    """

    strength: ClassVar[str | None] = "parts"
    learned: ClassVar[tuple[str, ...]] = ("centroids_",)
    centroids_: Singles

    def __init__(self, *, parts: int = 32, bits: int = 8) -> None:
        self.parts = parts
        self.bits = bits

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_count("parts", self.parts, 1)
        check_count("bits", self.bits, 1, 12)

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        rows, columns = vectors.shape
        if columns % self.parts:
            raise InputError(f"The 'parts' parameter must divide {columns} columns. Got {self.parts} instead.")
        if rows < 2**self.bits:
            raise InputError(
                f"{rows} vectors are too few for {2**self.bits} centroids; give more, or fewer 'bits' than {self.bits}"
            )
        try:
            import faiss
        except ImportError as missing:
            raise MissingExtra("'faiss'", "faiss") from missing
        quantiser = faiss.ProductQuantizer(columns, self.parts, self.bits)
        quantiser.cp.seed = int(rng.integers(2**31))
        quantiser.cp.min_points_per_centroid = 1
        quantiser.train(vectors)
        centroids = faiss.vector_to_array(quantiser.centroids)
        self.centroids_ = centroids.reshape(self.parts, 2**self.bits, columns // self.parts).copy()

    def check_learned(self) -> None:
        """As many centroids as the settings say."""
        wanted = (self.parts, 2**self.bits, self.columns_ // self.parts)
        if self.centroids_.shape != wanted:
            raise ValueError(f"centroids of shape {self.centroids_.shape}, expected {wanted}")

    def _map(self, vectors: Vectors) -> Singles:
        found = np.empty_like(vectors).reshape(len(vectors), self.parts, -1)
        for part, centroids in enumerate(self.centroids_):
            piece = vectors.reshape(found.shape)[:, part]
            distances = piece @ (-2 * centroids.T)
            distances += (centroids**2).sum(axis=1)
            found[:, part] = centroids[np.argmin(distances, axis=1)]
        return found.reshape(vectors.shape)
