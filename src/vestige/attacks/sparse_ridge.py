"""Ridge regression on a wide, sparse design by conjugate gradients: nothing of the size words by words is made."""

import numpy as np
from scipy import sparse

from vestige.types import Singles


def sparse_ridge(
    design: sparse.csr_array, targets: Singles, penalty: float, *, start: Singles | None = None, steps: int = 30
) -> Singles:
    """C with the least |targets - design @ C|² + penalty·|C|², every column of `targets` with a step size of its own.

    Hestenes and Stiefel (1952), preconditioned by the diagonal. Columns of words hardly overlap, so that few steps do:
    it ends where the residual has fallen a thousandfold, or after `steps`. From a `start` near the solution, fewer do.
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
