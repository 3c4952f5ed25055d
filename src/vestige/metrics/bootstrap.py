"""Intervals that know that texts of one document are not independent."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
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
    """The mean of `values`, with the percentile interval of a bootstrap that draws whole documents.

    `weights` makes it a weighted mean, which is how a ratio of counts is scored: values hit/held, weights held.
    """
    value = np.asarray(values, dtype=np.float64)
    weight = np.ones_like(value) if weights is None else np.asarray(weights, dtype=np.float64)
    totals, sizes = _by_document(value, weight, documents)
    if len(sizes) < FEWEST_DOCUMENTS:
        raise InputError(f"{len(sizes)} documents are too few for an interval; expected at least {FEWEST_DOCUMENTS}")
    drawn = rng.multinomial(len(sizes), np.full(len(sizes), 1 / len(sizes)), size=DRAWS)
    weighed = drawn @ sizes
    means = (drawn @ totals)[weighed > 0] / weighed[weighed > 0]
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Score(float(totals.sum() / sizes.sum()), float(low), float(high), int((weight > 0).sum()), baseline)


def _by_document(value: Floats, weight: Floats, documents: Sequence[str]) -> tuple[Floats, Floats]:
    _, owner = np.unique(np.asarray(documents, dtype=np.str_), return_inverse=True)
    totals: Floats = np.bincount(owner, weights=value * weight).astype(np.float64)
    sizes: Floats = np.bincount(owner, weights=weight).astype(np.float64)
    return totals[sizes > 0], sizes[sizes > 0]
