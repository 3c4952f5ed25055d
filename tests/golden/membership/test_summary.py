"""All metrics of a membership attack together."""

import numpy as np

from tests.golden.membership.scores import MEMBERS, OTHERS, names, rng
from vestige.metrics.membership.summary import membership


def test_all_metrics_together():
    members, others = np.tile(MEMBERS, 50), np.tile(OTHERS, 50)
    figures = membership(
        members, others, member_groups=names("m", 200), other_groups=names("o", 200), rng=rng(), threshold=2.0
    )
    assert (figures.advantage.value, figures.auc.value) == (0.5, 0.8125)
    assert [(point.asked, point.reason is None) for point in figures.at] == [(0.01, True), (0.001, False)]
    # Two of 200 non-members may be called, but fifty share the highest score: none is, and the 50 threes are found.
    assert (figures.at[0].realised.value, figures.at[0].tpr.value) == (0, 0.25)
    assert 0 < figures.epsilon.at_least < np.log(3) < figures.epsilon.provable
    assert len(figures.roc) == 5
