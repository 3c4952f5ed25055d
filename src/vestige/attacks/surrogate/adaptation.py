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
    width, dual = _choose_width(apart / scale, answers - offset)

    def to_private(vectors: Singles) -> Singles:
        near = np.exp(-width * squared_distances(vectors.astype(np.float64), places) / scale)
        return np.asarray(near @ dual + offset, dtype=np.float32)

    return to_private


def _choose_width(apart: Floats, answers: Floats) -> tuple[float, Floats]:
    """The width with the smallest leave-one-out error at any penalty, and the dual weights at that penalty.

    The errors are summed in single precision, which is enough to compare them and takes half the time.
    """
    best, chosen = np.inf, (_WIDTHS[0], np.zeros(answers.shape))
    for width in _WIDTHS:
        values, axes = np.linalg.eigh(np.exp(-width * apart))
        turned, single = axes.T @ answers, axes.astype(np.float32)
        inverses = 1 / (np.maximum(values, 0) + _PENALTIES[:, None])
        errors = [_sum_errors(single, turned, inverse, np.square(axes) @ inverse) for inverse in inverses]
        if min(errors) < best:
            best, inverse = min(errors), inverses[int(np.argmin(errors))]
            chosen = width, axes @ (turned * inverse[:, None])
    return chosen


def _sum_errors(axes: Singles, turned: Floats, inverse: Floats, diagonal: Floats) -> float:
    dual = axes @ (turned * inverse[:, None]).astype(np.float32)
    return float(np.square(leave_one_out_residuals(dual.astype(np.float64), diagonal)).sum())


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
    apart = first @ second.T
    apart *= -2
    apart += np.square(first).sum(axis=1)[:, None] + np.square(second).sum(axis=1)
    return np.asarray(np.maximum(apart, 0, out=apart))
