"""The chance that a member scores above another, equal scores counting one half."""

import numpy as np

from vestige.metrics.clopper_pearson import TAIL, clopper_pearson
from vestige.metrics.membership.side import Side
from vestige.metrics.rounding import rounded
from vestige.types import Floats, Integers, Score


def auc(members: Side, others: Side) -> Score:
    """The area under the curve, exactly, with an interval that knows that rows of one document are not independent.

    The variance is that of DeLong et al. (1988), summed over documents (Obuchowski 1997). The area is then taken for
    a share of as many comparisons as have that variance, fewer as Student's t asks, and has the interval of Clopper and
    Pearson for it, which stays wide enough near 0 and 1. Where nothing varies, as when the sides lie wholly apart, it
    is worth as many comparisons as can be made without using a document twice.
    """
    n, m = len(members.scores), len(others.scores)
    below, not_above = _twice_below(members.scores, others.scores), _twice_below(others.scores, members.scores)
    area = int(below.sum()) / (2 * n * m)
    variance = _variance(below / (2 * m) - area, members) + _variance(1 - not_above / (2 * n) - area, others)
    worth = _worth(area, variance, min(members.documents, others.documents))
    low, high = clopper_pearson(area * worth, worth)
    return rounded(area, float(low), float(high), n + m, 0.5)


def _twice_below(scores: Floats, others: Floats) -> Integers:
    """Twice the number of others below each score, half of those that equal it counted in: a whole number."""
    ranked = np.sort(others)
    twice = np.searchsorted(ranked, scores) + np.searchsorted(ranked, scores, side="right")
    return twice.astype(np.int64)


def _variance(deviations: Floats, side: Side) -> float:
    sums = np.bincount(side.owners, weights=deviations)
    return float(side.documents / (side.documents - 1) * np.square(sums).sum() / len(deviations) ** 2)


def _worth(area: float, variance: float, documents: int) -> float:
    from scipy.stats import norm, t

    if variance == 0:
        return float(documents)
    return float(area * (1 - area) / variance * (norm.isf(TAIL) / t.isf(TAIL, documents - 1)) ** 2)
