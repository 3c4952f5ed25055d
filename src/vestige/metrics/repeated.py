"""One figure from runs of an attack that differ by chance alone."""

from collections.abc import Sequence

import numpy as np

from vestige.errors import InputError
from vestige.metrics.clopper_pearson import TAIL
from vestige.metrics.rounding import rounded
from vestige.types import Score

FEWEST_RUNS = 3


def mean_of_runs(scores: Sequence[Score]) -> Score:
    """The mean over runs, with Student's interval of what chance does from run to run; texts are the same in all.

    For a control on shuffled labels: one shuffle may lean either way by chance, and only their mean should be nothing.
    """
    from scipy.stats import t

    if len(scores) < FEWEST_RUNS:
        raise InputError(f"{len(scores)} runs are too few for an interval; expected at least {FEWEST_RUNS}")
    values = np.array([score.value for score in scores])
    reach = float(t.isf(TAIL, len(values) - 1)) * values.std(ddof=1) / np.sqrt(len(values))
    return rounded(values.mean(), values.mean() - reach, values.mean() + reach, scores[0].n, scores[0].baseline)
