"""How near what an encoder makes comes to what is stored, given how it is stored."""

from dataclasses import dataclass

import numpy as np

from vestige.preflight.form import Kept
from vestige.stores.forms import FORMS
from vestige.types import Flags, Floats, Vectors

SAME: dict[Kept, float] = {"float32": 0.9995, "float16": 0.9995, "int8": 0.98, "binary": 0.95, "coded": 0.98}
"""The cosine from which two vectors are the same, as far as their form lets one tell."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The cosine of each vector made with the one stored, and whether that makes them the same."""

    cosines: Floats
    same: Flags

    @property
    def median(self) -> float:
        """The cosine that half of the rows reach."""
        return float(np.median(self.cosines))

    @property
    def holds(self) -> bool:
        """Whether most rows are the same."""
        return bool(self.same.mean() > 0.5)


def likeness(made: Vectors, stored: Vectors, kept: Kept) -> Likeness:
    """Row by row; what was made is brought to the form of what is stored."""
    width = min(made.shape[1], stored.shape[1])
    cosines = (directions(in_form(made[:, :width], kept)) * directions(signed(stored[:, :width], kept))).sum(axis=1)
    return Likeness(np.asarray(cosines, np.float64), cosines >= SAME[kept])


def in_form(made: Vectors, kept: Kept) -> Vectors:
    """As a store of this form would keep it; codes are not imitated."""
    return FORMS["float32" if kept == "coded" else kept](made)


def signed(stored: Vectors, kept: Kept) -> Vectors:
    """Bits as signs; all else as it is."""
    return np.where(stored > 0, np.float32(1), np.float32(-1)) if kept == "binary" else stored


def directions(vectors: Vectors) -> Vectors:
    """At unit length; a row of zeros stays one."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12), np.float32)
