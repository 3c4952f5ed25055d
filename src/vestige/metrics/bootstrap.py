"""Intervals that know that texts of one document are not independent."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.metrics.rounding import rounded
from vestige.types import Floats, Score

DRAWS = 2000
LEVEL = 0.95
FEWEST_DOCUMENTS = 10


def document_mean(
    values: npt.ArrayLike,
    documents: Sequence[str],
    rng: np.random.Generator,
    *,
    weights: npt.ArrayLike | None = None,
    baseline: float | None = None,
) -> Score:
    """The mean of `values`, with the interval of a bootstrap that draws whole documents.

    `weights` makes it a weighted mean, which is how a ratio of counts is scored: values hit/held, weights held. The
    same generator state draws the same documents whatever the values, so that differences are paired. The percentiles
    are widened about the mean as Student's t asks for so few documents, since percentiles alone are too narrow then.
    """
    value = np.asarray(values, dtype=np.float64)
    weight = np.ones_like(value) if weights is None else np.asarray(weights, dtype=np.float64)
    totals, sizes = _by_document(value, weight, documents)
    counted = int(np.count_nonzero(sizes))
    if counted < FEWEST_DOCUMENTS:
        raise InputError(
            f"{counted} documents are too few for an interval; expected at least {FEWEST_DOCUMENTS}; give more"
        )
    drawn = rng.multinomial(len(sizes), np.full(len(sizes), 1 / len(sizes)), size=DRAWS)
    weighed = drawn @ sizes
    means = (drawn @ totals)[weighed > 0] / weighed[weighed > 0]
    mean = totals.sum() / sizes.sum()
    ends = mean + _widening(counted) * (np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) - mean)
    low, high = np.clip(ends, value[weight > 0].min(), value[weight > 0].max())
    return rounded(mean, low, high, int(np.count_nonzero(weight)), baseline)


def _by_document(value: Floats, weight: Floats, documents: Sequence[str]) -> tuple[Floats, Floats]:
    _, owner = np.unique(np.asarray(documents, dtype=np.str_), return_inverse=True)
    totals: Floats = np.bincount(owner, weights=value * weight).astype(np.float64)
    sizes: Floats = np.bincount(owner, weights=weight).astype(np.float64)
    return totals, sizes


def _widening(documents: int) -> float:
    from scipy.stats import norm, t

    tail = (1 + LEVEL) / 2
    return float(t.ppf(tail, documents - 1) / norm.ppf(tail) * np.sqrt(documents / (documents - 1)))
