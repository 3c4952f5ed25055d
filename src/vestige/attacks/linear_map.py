"""Linear maps by ridge regression, the penalty chosen on texts that the fit did not see."""

from dataclasses import dataclass

import numpy as np

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


def ridge_map(inputs: Singles, outputs: Singles, kept: Integers, held: Integers) -> LinearMap:
    """Least squares from `inputs` to `outputs` over the `kept` rows, the penalty the best of many on the `held` ones.

    One eigendecomposition of the covariance serves every penalty: in its basis a penalty divides each direction by
    (eigenvalue + penalty), and nothing else changes. Penalties are shares of the largest eigenvalue.
    """
    centre, offset = inputs[kept].mean(axis=0), outputs[kept].mean(axis=0)
    given = (inputs[kept] - centre).astype(np.float64)
    values, directions = np.linalg.eigh(given.T @ given)
    rotated = directions.T @ (given.T @ (outputs[kept] - offset).astype(np.float64))
    seen = (inputs[held] - centre).astype(np.float64) @ directions
    wanted = (outputs[held] - offset).astype(np.float64)

    def weights(penalty: float) -> Floats:
        strength = np.maximum(values, 0) + penalty * max(values[-1], np.finfo(np.float64).tiny)
        return np.asarray(rotated / strength[:, None])

    best = min(PENALTIES, key=lambda penalty: float(np.square(seen @ weights(penalty) - wanted).sum()))
    return LinearMap(
        centre.astype(np.float32), (directions @ weights(best)).astype(np.float32), offset.astype(np.float32)
    )
