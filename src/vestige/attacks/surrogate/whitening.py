"""How far private vectors spread along each of their axes, and maps that make all axes more alike."""

from dataclasses import dataclass

import numpy as np

from vestige.types import Floats, Singles

FLOOR = 0.3
"""No axis counts as shorter than a share of the mean."""


@dataclass(frozen=True)
class Spread:
    """Axes, a column each, along which vectors spread by `lengths`; along every other by `rest`."""

    directions: Floats
    lengths: Floats
    rest: float

    @classmethod
    def of(cls, seen: Singles) -> "Spread":
        """From the smaller of two products, since of wide vectors there are fewer than columns."""
        away = (seen - seen.mean(axis=0)).astype(np.float64)
        if len(away) < away.shape[1]:
            lengths, sides = np.linalg.eigh(away @ away.T / len(away))
            real = lengths > 1e-12 * max(lengths[-1], 1e-12)
            lengths, directions = lengths[real], away.T @ (sides[:, real] / np.sqrt(lengths[real] * len(away)))
        else:
            lengths, directions = np.linalg.eigh(away.T @ away / len(away))
            lengths = np.maximum(lengths, 0)
        rest = max(FLOOR * float(lengths.sum()) / away.shape[1], 1e-12)
        return cls(directions, lengths + rest, rest)

    def axes(self, whitening: float) -> Floats:
        """The symmetric map, (d, d): none at 0, all axes equally long at 1."""
        longer = self.lengths ** (-whitening / 2) - self.rest ** (-whitening / 2)
        rest = self.rest ** (-whitening / 2) * np.eye(len(self.directions))
        return np.asarray((self.directions * longer) @ self.directions.T + rest)
