"""Two ridge regressions: a dense map whose penalty is chosen on held-out rows, and one on a wide, sparse design."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from vestige.types import Floats, Integers, Singles

PENALTIES = np.logspace(-7, 1, 17)


@dataclass(frozen=True)
class LinearMap:
    """`map(x) = (x - centre) @ matrix + offset`."""

    centre: Singles
    matrix: Singles
    offset: Singles

    def __call__(self, inputs: Singles) -> Singles:
        """One row in, one row out."""
        return np.asarray((inputs - self.centre) @ self.matrix + self.offset, dtype=np.float32)


def ridge_map(inputs: Singles, outputs: Singles, train: Integers, held_out: Integers) -> LinearMap:
    """Least squares from `inputs` to `outputs` over the `train` rows; the penalty is the best on the `held_out` rows.

    One eigendecomposition of the covariance serves every penalty: in its basis a penalty divides each direction by
    (eigenvalue + penalty), and nothing else changes. Penalties are shares of the largest eigenvalue.
    """
    centre, offset = inputs[train].mean(axis=0), outputs[train].mean(axis=0)
    given = (inputs[train] - centre).astype(np.float64)
    values, directions = np.linalg.eigh(given.T @ given)
    rotated = directions.T @ (given.T @ (outputs[train] - offset).astype(np.float64))
    seen = (inputs[held_out] - centre).astype(np.float64) @ directions
    wanted = (outputs[held_out] - offset).astype(np.float64)

    def weights(penalty: float) -> Floats:
        strength = np.maximum(values, 0) + penalty * max(values[-1], np.finfo(np.float64).tiny)
        return np.asarray(rotated / strength[:, None])

    best = min(PENALTIES, key=lambda penalty: float(np.square(seen @ weights(penalty) - wanted).sum()))
    return LinearMap(
        centre.astype(np.float32), (directions @ weights(best)).astype(np.float32), offset.astype(np.float32)
    )


def sparse_ridge(
    design: sparse.csr_array, targets: Singles, penalty: float, *, start: Singles | None = None, steps: int = 30
) -> Singles:
    """The C that minimises |targets - design @ C|² + penalty·|C|², by conjugate gradients.

    No words-by-words matrix is made. Hestenes and Stiefel (1952), preconditioned by the diagonal; each column of
    `targets` has its own step size. Columns of words hardly overlap, so that few steps suffice: it stops when the
    residual has fallen a thousandfold, or after `steps`. A `start` near the solution saves steps.
    """
    across = sparse.csr_array(design.T)
    scale = 1 / (np.asarray(design.multiply(design).sum(axis=0)).ravel() + penalty).astype(np.float32)[:, None]
    right = across @ targets
    enough = 1e-6 * (right * (scale * right)).sum(axis=0)
    solution = np.zeros_like(right) if start is None else start.copy()
    residual = right if start is None else right - across @ (design @ start) - np.float32(penalty) * start
    direction = scale * residual
    size = (residual * direction).sum(axis=0)
    for _ in range(steps):
        if (size <= enough).all():
            break
        moved = across @ (design @ direction) + np.float32(penalty) * direction
        step = _ratio(size, (direction * moved).sum(axis=0))
        solution += step * direction
        residual -= step * moved
        preconditioned = scale * residual
        size, before = (residual * preconditioned).sum(axis=0), size
        direction = preconditioned + _ratio(size, before) * direction
    return np.asarray(solution)


def _ratio(above: Singles, below: Singles) -> Singles:
    """0 where a column has been solved exactly."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
