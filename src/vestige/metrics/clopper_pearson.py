"""The exact ends of a share of successes (Clopper and Pearson 1934)."""

import numpy as np
import numpy.typing as npt

from vestige.types import Floats

TAIL = 0.025


def clopper_pearson(hits: npt.ArrayLike, n: npt.ArrayLike, tail: float = TAIL) -> tuple[Floats, Floats]:
    """The low and the high end, each of which the truth passes with a chance of at most `tail`.

    Takes whole arrays; `hits` and `n` need not be whole numbers, since rows that depend on each other count for less.
    """
    from scipy.stats import beta

    hit = np.asarray(hits, dtype=np.float64)
    missed = np.asarray(n, dtype=np.float64) - hit
    low = np.where(hit > 0, beta.ppf(tail, np.where(hit > 0, hit, 1), missed + 1), 0.0)
    high = np.where(missed > 0, beta.isf(tail, hit + 1, np.where(missed > 0, missed, 1)), 1.0)
    return low, high
