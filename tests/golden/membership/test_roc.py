"""The ROC curve, its area and the TPR at a low FPR: by hand, from tables, and compared with scikit-learn."""

import numpy as np
import pytest
from scipy.special import betaincinv

from tests.golden.membership.scores import MEMBERS, OTHERS, grouped, rng
from vestige.errors import InputError
from vestige.metrics.membership.roc import POINTS, auc, roc_curve, tally, tpr_at_fpr


def test_the_curve():
    # At 3 one member; at 2 three members and one other; at 1 all members and three others.
    assert [(point.fpr, point.tpr) for point in roc_curve(MEMBERS, OTHERS)] == [
        (0, 0),
        (0, 0.25),
        (0.25, 0.75),
        (0.75, 1),
        (1, 1),
    ]


def test_equal_scores_make_one_step():
    assert [(point.fpr, point.tpr) for point in roc_curve(np.ones(5), np.ones(3))] == [(0, 0), (1, 1)]


def test_the_curve_agrees_with_scikit_learn():
    from sklearn.metrics import roc_curve

    members, others = rng().integers(0, 30, 90) + 4.0, rng().integers(0, 30, 70) + 0.0
    truth, scores = np.repeat([1, 0], [90, 70]), np.concatenate([members, others])
    fpr, tpr, thresholds = roc_curve(truth, scores, drop_intermediate=False)
    ours = tally(members, others)
    assert ours.thresholds.tolist() == thresholds.tolist()
    assert (ours.alarms / 70).tolist() == pytest.approx(fpr.tolist())
    assert (ours.hits / 90).tolist() == pytest.approx(tpr.tolist())


def test_a_long_curve_is_thinned_to_points_of_its_own():
    members, others = rng().normal(0.5, 1, 20_000), np.random.default_rng(1).normal(0, 1, 30_000)
    points, whole = roc_curve(members, others), tally(members, others)
    every = set(zip((whole.alarms / 30_000).tolist(), (whole.hits / 20_000).tolist(), strict=True))
    assert 100 < len(points) <= 2 * POINTS + 1
    assert {(point.fpr, point.tpr) for point in points} <= every
    assert (points[0].fpr, points[0].tpr, points[-1].fpr, points[-1].tpr) == (0, 0, 1, 1)
    assert sum(0 < point.fpr < 0.001 for point in points) >= 10


def test_the_area():
    # 3 is above all four; each 2 above three and level with one, 3.5; 1 above one and level with two, 2: 13 of 16.
    score = auc(grouped(MEMBERS), grouped(OTHERS))
    assert (score.value, score.n, score.baseline) == (0.8125, 8, 0.5)


def test_the_interval_of_the_area():
    # A member's share of non-members below it: 1, 7/8, 7/8, 1/2, which are 3, 1, 1 and -5 sixteenths from the area; the
    # non-members' are as far. DeLong's variance is 36/256 / 3 / 4 for each, 3/128 together; 13/16 x 3/16 over that is
    # 6.5, times (1.959964 / 3.182446)^2, Student's t at 3 degrees of freedom.
    score, comparisons = auc(grouped(MEMBERS), grouped(OTHERS)), 6.5 * (1.959964 / 3.182446) ** 2
    hits = 0.8125 * comparisons
    assert score.low == pytest.approx(betaincinv(hits, comparisons - hits + 1, 0.025), abs=1e-5)
    assert score.high == pytest.approx(betaincinv(hits + 1, comparisons - hits, 0.975), abs=1e-5)


def test_the_area_agrees_with_scikit_learn():
    from sklearn.metrics import roc_auc_score

    members, others = rng().integers(0, 9, 80) + 1.0, rng().integers(0, 9, 60) + 0.0
    expected = roc_auc_score(np.repeat([1, 0], [80, 60]), np.concatenate([members, others]))
    assert auc(grouped(members), grouped(others)).value == pytest.approx(expected, abs=1e-6)


def test_its_interval_agrees_with_drawing_documents_one_by_one():
    draw = np.random.default_rng(1)
    scores = [np.repeat(draw.normal(shift, 1, 80), 5) + draw.normal(0, 1, 400) for shift in (0.7, 0)]
    ours = auc(grouped(scores[0], 5), grouped(scores[1], 5))
    areas = []
    for _ in range(400):
        members, others = (values.reshape(80, 5)[draw.integers(0, 80, 80)].ravel() for values in scores)
        areas.append(np.mean(np.searchsorted(np.sort(others), members)) / 400)
    low, high = np.quantile(areas, [0.025, 0.975])
    assert ours.low == pytest.approx(low, abs=0.015)
    assert ours.high == pytest.approx(high, abs=0.015)
    alone = auc(grouped(scores[0]), grouped(scores[1]))
    assert ours.high - ours.low > 1.4 * (alone.high - alone.low)


def test_perfectly_separated_scores_have_the_interval_of_so_few_documents():
    # Ten comparisons, all won: 0.025^(1/10).
    apart = auc(grouped(np.arange(50) + 100, 5), grouped(np.arange(60), 5))
    assert (apart.value, apart.high) == (1, 1)
    assert apart.low == pytest.approx(0.025**0.1, abs=1e-6)
    assert auc(grouped(np.arange(60), 5), grouped(np.arange(50) + 100, 5)).high == pytest.approx(
        1 - 0.025**0.1, abs=1e-6
    )


def test_equal_scores_have_an_area_of_one_half():
    score = auc(grouped(np.ones(20)), grouped(np.ones(20)))
    assert score.value == 0.5
    assert score.low < 0.3 < 0.7 < score.high


def test_the_tpr_at_a_low_fpr():
    # Of 1000 non-members 0 to 999, ten are above 989 and one above 998; of 20 members five are at 989.5, three at 5000.
    members, others = grouped([989.5] * 5 + [5000.0] * 3 + [0.0] * 12), grouped(np.arange(1000))
    at_percent, at_mille = tpr_at_fpr(members, others, 0.01), tpr_at_fpr(members, others, 0.001)
    assert (at_percent.realised.value, at_percent.tpr.value, at_percent.tpr.baseline) == (0.01, 0.4, 0.01)
    assert (at_mille.realised.value, at_mille.tpr.value, at_mille.tpr.n) == (0.001, 0.15, 20)
    # Tables: 10 of 1000, 3 of 20.
    assert (at_percent.realised.low, at_percent.realised.high) == pytest.approx((0.004805, 0.018314), abs=1e-5)
    assert (at_mille.tpr.low, at_mille.tpr.high) == pytest.approx((0.032071, 0.378927), abs=1e-5)


def test_non_members_with_equal_scores_are_called_together_or_not_at_all():
    others = grouped([5.0] * 20 + [0.0] * 980)
    point = tpr_at_fpr(grouped([5.0] * 10 + [6.0] * 10), others, 0.01)
    assert (point.realised.value, point.tpr.value) == (0, 0.5)
    assert point.realised.high == pytest.approx(1 - 0.025**0.001, abs=1e-6)


@pytest.mark.parametrize(("asked", "needed"), [(0.01, 100), (0.001, 1000), (0.03, 34)])
def test_too_few_non_members_for_a_rate_give_a_reason(asked, needed):
    assert tpr_at_fpr(grouped(np.ones(20)), grouped(np.arange(needed)), asked).reason is None
    point = tpr_at_fpr(grouped(np.ones(20)), grouped(np.arange(needed - 1)), asked)
    assert (point.realised, point.tpr) == (None, None)
    assert (
        point.reason
        == f"{needed - 1} non-members are too few to measure a false-positive rate of {asked}; give {needed}"
    )


def test_a_rate_outside_0_and_1_is_refused():
    with pytest.raises(InputError, match="a false-positive rate of 0"):
        tpr_at_fpr(grouped(np.ones(20)), grouped(np.ones(20)), 0)
