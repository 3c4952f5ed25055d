"""The mean exposure of secrets of one kind, with an interval that knows what was drawn: the secrets, and candidates."""

from collections.abc import Sequence
from math import log2

import numpy as np

from vestige.metrics.bootstrap import document_mean
from vestige.metrics.clopper_pearson import clopper_pearson
from vestige.metrics.exposure import Exposure
from vestige.metrics.rounding import rounded
from vestige.types import Score

ALIKE = 0.1


def mean_exposure(exposures: Sequence[Exposure], rng: np.random.Generator) -> Score:
    """The mean in bits; all were ranked among as many candidates of one space.

    The low end is that of a bootstrap over the secrets' own low ends, the high end of one over their high ends: where
    a sample of the space was scored, its error is in both. Secrets that are alike to a tenth of a bit show no spread
    when drawn again: the share of others that so few leave open, as for a proportion, then lies at the bottom, or at
    the top.
    """
    values, lows, highs = np.array([(each.bits.value, each.bits.low, each.bits.high) for each in exposures]).T
    if np.ptp(values) < ALIKE:
        unseen = float(clopper_pearson(0, len(values))[1])
        low, high = (1 - unseen) * lows.mean(), (1 - unseen) * highs.mean() + unseen * log2(exposures[0].space)
    else:
        names = [str(row) for row in range(len(values))]
        low, high = document_mean(lows, names, rng).low, document_mean(highs, names, rng).high
    return rounded(values.mean(), low, high, len(values), exposures[0].bits.baseline)
