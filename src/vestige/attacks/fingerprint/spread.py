"""How the directions of an encoder's vectors are spread, and what a direction looks like against that."""

from dataclasses import dataclass

import numpy as np

from vestige.types import Floats

BANDS = 8


@dataclass(frozen=True)
class Spread:
    """A Gaussian over directions: its mean, its axes, one a column, and the variance along each, smallest first.

    The covariance is shrunk as Ledoit and Wolf (2004) have it.
    """

    mean: Floats
    axes: Floats
    variances: Floats

    @classmethod
    def of(cls, rows: Floats) -> "Spread":
        """Fitted to directions, one a row."""
        from sklearn.covariance import ledoit_wolf

        mean = rows.mean(axis=0)
        variances, axes = np.linalg.eigh(ledoit_wolf(rows - mean, assume_centered=True)[0])
        return cls(mean, axes, np.maximum(variances, max(1e-9 * variances[-1], 1e-15)))

    @property
    def log_volume(self) -> float:
        """Half the log determinant of the covariance."""
        return float(np.log(self.variances).sum() / 2)

    def traits(self, rows: Floats) -> Floats:
        """(rows, 2): surprise and tilt.

        Surprise is the log of the squared Mahalanobis distance a dimension, near 0 for rows it was fitted to. Tilt
        is the slope, over bands of axes, of the log of that distance against the log of the variance: near 0 for rows
        of the same encoder whatever they are about, toward -1 for rows that know nothing of these axes.
        """
        squared = np.square((rows - self.mean) @ self.axes) / self.variances
        cuts = np.arange(BANDS) * len(self.variances) // BANDS
        sizes = np.diff([*cuts, len(self.variances)])
        logs = np.log(np.maximum(np.add.reduceat(squared, cuts, axis=1) / sizes, 1e-12))
        variance = np.log(np.add.reduceat(self.variances, cuts) / sizes)
        slope = variance - variance.mean()
        tilt = logs @ slope / max(float(slope @ slope), 1e-3)
        return np.column_stack([np.log(np.maximum(squared.mean(axis=1), 1e-12)), tilt])
