"""A share of successes with its exact interval."""

from vestige.types import Score

LEVEL = 0.95


def proportion(hits: int, n: int, baseline: float | None = None) -> Score:
    """`hits` of `n`, with the interval of Clopper and Pearson (1934)."""
    from scipy.stats import binomtest

    interval = binomtest(hits, n).proportion_ci(confidence_level=LEVEL, method="exact")
    return Score(hits / n, float(interval.low), float(interval.high), n, baseline)
