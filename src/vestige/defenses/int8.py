"""Scalar quantisation as vector stores do it: every number becomes a byte."""

from typing import Any, ClassVar, Literal

import numpy as np

from vestige.checks import check_choice
from vestige.defenses.checks import check_above
from vestige.defenses.defense import FixedMap
from vestige.types import Floats, Singles, Vectors

LEVELS = 256


class Int8(FixedMap):
    """The nearest of 256 even steps over the range that the numbers had when it was fitted; beyond, the last step.

    Guarantee: none. A unit vector turns by about a degree.
    Shapes: (n, d) to (n, d), what the bytes stand for.

    `ranges="columns"` has a range a column (faiss, sentence-transformers), `"all"` one for all (Qdrant); a `quantile`
    below 1 leaves the outermost numbers out of it (Qdrant: 0.99).
    """

    learned: ClassVar[tuple[str, ...]] = ("low_", "step_")
    low_: Floats
    step_: Floats

    def __init__(self, *, ranges: Literal["columns", "all"] = "columns", quantile: float = 1.0) -> None:
        self.ranges = ranges
        self.quantile = quantile

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_choice("ranges", self.ranges, ("columns", "all"))
        check_above("quantile", self.quantile, 0, 1)

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:  # noqa: ARG002
        outside = (1 - self.quantile) / 2
        axis = 0 if self.ranges == "columns" else None
        low, high = np.quantile(vectors.astype(np.float64), [outside, 1 - outside], axis=axis)
        self.low_, self.step_ = np.asarray(low), np.asarray((high - low) / (LEVELS - 1))

    def _map(self, vectors: Vectors) -> Singles:
        steps = np.where(self.step_ > 0, self.step_, np.inf)
        codes: Floats = vectors - self.low_
        codes /= steps
        np.clip(np.rint(codes, out=codes), 0, LEVELS - 1, out=codes)
        codes *= self.step_
        codes += self.low_
        return codes.astype(np.float32)
