"""Binary quantisation as vector stores do it: of every number only whether it is above zero."""

from typing import Any

import numpy as np

from vestige.defenses.defense import FixedMap
from vestige.types import Singles, Vectors


class Binary(FixedMap):
    """A bit a column, written as plus or minus 1 / √d so that vectors have unit length.

    Guarantee: none. The cosine of two such vectors is 1 - 2h / d for a Hamming distance h, which is what stores
    compare.
    Shapes: (n, d) to (n, d). Zero counts as negative, as it does in pgvector and sentence-transformers.
    """

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        """There is nothing to learn."""

    def _map(self, vectors: Vectors) -> Singles:
        step = np.float32(vectors.shape[1] ** -0.5)
        found = (vectors > 0).astype(np.float32)
        found *= 2 * step
        found -= step
        return found
