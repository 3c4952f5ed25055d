"""A share of successes with its exact interval."""

from vestige.metrics.rounding import rounded
from vestige.types import Score

LEVEL = 0.95


def proportion(hits: int, n: int, *, baseline: float | None = None, among: int = 1) -> Score:
    """`hits` of `n`, with the interval of Clopper and Pearson (1934).

    `among` is how many such shares this one was chosen from; the interval is widened for that (Bonferroni).
    """
    from scipy.stats import binomtest

    level = 1 - (1 - LEVEL) / among
    interval = binomtest(hits, n).proportion_ci(confidence_level=level, method="exact")
    return rounded(hits / n, interval.low, interval.high, n, baseline)
