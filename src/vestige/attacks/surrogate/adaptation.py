"""Maps from the surrogate's space to the private one, learned on the queried pairs."""

from collections.abc import Callable

import numpy as np

from vestige.attacks.surrogate.selection import pad_columns
from vestige.types import Floats, Singles

VectorMap = Callable[[Singles], Singles]
Adapt = Callable[[Singles, Singles], VectorMap]
"""From the surrogate's and the private encoder's vectors of some documents to a map for any other vector."""

_WIDTHS = (0.1, 0.3, 1.0)
_PENALTIES = np.logspace(-3, 0, 7)


def fit_kernel_map(known: Singles, answers: Singles) -> VectorMap:
    """Kernel ridge regression, Gaussian; width and penalty by leave-one-out error.

    Widths are shares of the median distance.
    """
    if len(known) < 2:
        return _constant(answers)
    places: Floats = known.astype(np.float64)
    offset = answers.mean(axis=0, dtype=np.float64)
    apart = squared_distances(places, places)
    scale = max(float(np.median(apart[~np.eye(len(known), dtype=bool)])), 1e-12)
    best, width, dual = np.inf, _WIDTHS[0], np.zeros(answers.shape)
    for tried in _WIDTHS:
        values, axes = np.linalg.eigh(np.exp(-tried * apart / scale))
        turned = axes.T @ (answers - offset)
        for penalty in _PENALTIES:
            inverse = 1 / (np.maximum(values, 0) + penalty)
            found = axes @ (turned * inverse[:, None])
            missed = float(np.square(leave_one_out_residuals(found, np.square(axes) @ inverse)).sum())
            if missed < best:
                best, width, dual = missed, tried, found

    def to_private(vectors: Singles) -> Singles:
        near = np.exp(-width * squared_distances(vectors.astype(np.float64), places) / scale)
        return np.asarray(near @ dual + offset, dtype=np.float32)

    return to_private


def fit_ridge_map(known: Singles, answers: Singles) -> VectorMap:
    """A linear map; the penalty by leave-one-out error, in closed form."""
    if len(known) < 2:
        return _constant(answers)
    from sklearn.linear_model import RidgeCV

    inputs, offset = known.astype(np.float64), answers.mean(axis=0, dtype=np.float64)
    spread = max(float(np.square(inputs - inputs.mean(axis=0)).sum()), 1e-12)
    model = RidgeCV(alphas=spread * np.logspace(-6, 1, 15)).fit(inputs, answers - offset)
    return lambda vectors: np.asarray(model.predict(vectors.astype(np.float64)) + offset, dtype=np.float32)


def pad_to_width(width: int) -> VectorMap:
    """No adaptation: the surrogate's vectors, cut or padded with zeros to the private width."""
    return lambda vectors: pad_columns(vectors, width)


def _constant(answers: Singles) -> VectorMap:
    """Fewer than two pairs determine no map: every text goes to one place, and nothing can be inferred."""
    place = answers.sum(axis=0, keepdims=True)
    return lambda vectors: np.repeat(place, len(vectors), axis=0)


def leave_one_out_residuals(dual: Floats, diagonal: Floats) -> Floats:
    """The error of each row of a kernel regression when it is predicted from all others.

    In closed form: its dual weight over its entry on the diagonal of the inverse of the kernel plus penalty.
    """
    return np.asarray(dual / diagonal[:, None])


def squared_distances(first: Floats, second: Floats) -> Floats:
    """From every row of the first to every row of the second."""
    lengths = np.square(first).sum(axis=1)[:, None] + np.square(second).sum(axis=1)
    return np.asarray(np.maximum(lengths - 2 * first @ second.T, 0))
