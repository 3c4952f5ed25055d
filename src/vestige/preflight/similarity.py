"""How similar the vectors of an encoder are to the stored ones, given the form in which they are stored."""

from dataclasses import dataclass

import numpy as np

from vestige.preflight.form import NumberForm
from vestige.stores.memory_index import FORMS
from vestige.types import Flags, Floats, Vectors

SAME_COSINE: dict[NumberForm, float] = {
    "float32": 0.9995,
    "float16": 0.9995,
    "int8": 0.98,
    "binary": 0.95,
    "coded": 0.98,
}
"""The cosine from which two vectors count as the same, by the form in which one of them is stored."""


@dataclass(frozen=True, slots=True)
class Similarity:
    """The cosine of each encoded vector with the stored one, and whether the two count as the same."""

    cosines: Floats
    same: Flags

    @property
    def median(self) -> float:
        """The median cosine."""
        return float(np.median(self.cosines))

    @property
    def matches(self) -> bool:
        """Whether most rows are the same."""
        return bool(self.same.mean() > 0.5)


def compare_vectors(encoded: Vectors, stored: Vectors, form: NumberForm) -> Similarity:
    """Compare row by row, over the dimensions that both have, after converting the encoded vectors to the form."""
    width = min(encoded.shape[1], stored.shape[1])
    ours, theirs = convert(encoded[:, :width], form), use_signs(stored[:, :width], form)
    cosines = (normalize(ours) * normalize(theirs)).sum(axis=1)
    return Similarity(np.asarray(cosines, np.float64), cosines >= SAME_COSINE[form])


def convert(encoded: Vectors, form: NumberForm) -> Vectors:
    """Encoded vectors as a store of this form returns them; lossy codes are not imitated."""
    return FORMS["float32" if form == "coded" else form](encoded)


def use_signs(stored: Vectors, form: NumberForm) -> Vectors:
    """Stored bits as -1 and 1; other forms as they are."""
    return np.where(stored > 0, np.float32(1), np.float32(-1)) if form == "binary" else stored


def normalize(vectors: Vectors) -> Vectors:
    """Scale to unit length; a row of zeros stays zero."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)
