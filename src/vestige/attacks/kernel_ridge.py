"""Kernel ridge regression with a Gaussian kernel on vectors of unit length: what is around a vector.

A defense that removes every direction along which texts differ on average stops an attack that compares averages. It
does not stop one that looks at neighbourhoods: texts of one kind remain near each other.
"""

from dataclasses import dataclass

import numpy as np

from vestige.attacks.rows import unit_length
from vestige.types import Floats, Singles, Vectors

PENALTY = 0.1


@dataclass(frozen=True)
class KernelMap:
    """`map(x) = sum over rows of exp(-gamma·|x - row|²) · weights`, for x and rows of unit length."""

    rows: Singles
    weights: Floats
    gamma: float

    @classmethod
    def fit(cls, vectors: Vectors, outputs: Floats, gamma: float) -> "KernelMap":
        """Least squares with a penalty; the time grows with the cube of the rows."""
        from scipy.linalg import cho_solve, cholesky
        from sklearn.metrics.pairwise import rbf_kernel

        rows = unit_length(vectors)
        kernel = rbf_kernel(rows, gamma=gamma).astype(np.float64)
        kernel[np.diag_indices_from(kernel)] += PENALTY
        factor = cholesky(kernel.T, overwrite_a=True, check_finite=False)
        return cls(rows, cho_solve((factor, False), outputs, check_finite=False), gamma)

    def __call__(self, vectors: Vectors) -> Floats:
        """One row in, one row out."""
        from sklearn.metrics.pairwise import rbf_kernel

        return np.asarray(rbf_kernel(unit_length(vectors), self.rows, self.gamma) @ self.weights)
