"""Rounding (P7): only so many decimals of each number are kept."""

from typing import Any, ClassVar

import numpy as np

from vestige.defenses.checks import check_count
from vestige.defenses.defense import FixedMap
from vestige.types import Singles, Vectors


class Rounding(FixedMap):
    """Every number rounded to `decimals` places.

    Guarantee: none. It hides what is smaller than its step, and nothing else.
    Shapes: (n, d) to (n, d).
    Paper: Pan et al., IEEE S&P 2020, Section VII (1); `decimals` is their r.
    """

    strength: ClassVar[str | None] = "decimals"

    def __init__(self, *, decimals: int = 1) -> None:
        self.decimals = decimals

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_count("decimals", self.decimals, 0, 12)

    def _learn(self, vectors: Vectors, labels: Any, rng: np.random.Generator) -> None:
        """There is nothing to learn."""

    def _map(self, vectors: Vectors) -> Singles:
        # The sum with 0 makes a negative zero positive: its sign would outlive the rounding.
        rounded = vectors.astype(np.float64)
        np.round(rounded, self.decimals, out=rounded)
        rounded += 0.0
        return rounded.astype(np.float32)
