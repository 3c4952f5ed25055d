"""Figures of membership inference by hand, from tables, and beside scikit-learn's."""

import numpy as np
import pytest
from scipy.special import betaincinv
from scipy.stats import norm

from vestige.errors import InputError
from vestige.metrics.membership.advantage import advantage, best_threshold
from vestige.metrics.membership.auc import auc
from vestige.metrics.membership.curve import POINTS, curve, tally
from vestige.metrics.membership.epsilon import epsilon
from vestige.metrics.membership.figures import membership
from vestige.metrics.membership.gain import gain
from vestige.metrics.membership.operating import operating
from vestige.metrics.membership.rate import rate
from vestige.metrics.membership.side import Side, sides

MEMBERS, OTHERS = np.array([3.0, 2.0, 2.0, 1.0]), np.array([2.0, 1.0, 1.0, 0.0])


def rng():
    return np.random.default_rng(0)


def side(scores, rows=1):
    """A side whose documents have so many rows each."""
    owners = np.arange(len(scores)) // rows
    return Side(np.asarray(scores, dtype=np.float64), owners, int(owners[-1]) + 1)


def names(prefix, n):
    return [f"{prefix}{row}" for row in range(n)]


def test_the_curve():
    # At 3 one member; at 2 three members and one other; at 1 all members and three others.
    assert [(point.fpr, point.tpr) for point in curve(MEMBERS, OTHERS)] == [
        (0, 0),
        (0, 0.25),
        (0.25, 0.75),
        (0.75, 1),
        (1, 1),
    ]


def test_equal_scores_make_one_step():
    assert [(point.fpr, point.tpr) for point in curve(np.ones(5), np.ones(3))] == [(0, 0), (1, 1)]


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
    points, whole = curve(members, others), tally(members, others)
    every = set(zip((whole.alarms / 30_000).tolist(), (whole.hits / 20_000).tolist(), strict=True))
    assert 100 < len(points) <= 2 * POINTS + 1
    assert {(point.fpr, point.tpr) for point in points} <= every
    assert (points[0].fpr, points[0].tpr, points[-1].fpr, points[-1].tpr) == (0, 0, 1, 1)
    assert sum(0 < point.fpr < 0.001 for point in points) >= 10


def test_the_area():
    # 3 is above all four; each 2 above three and level with one, 3.5; 1 above one and level with two, 2: 13 of 16.
    score = auc(side(MEMBERS), side(OTHERS))
    assert (score.value, score.n, score.baseline) == (0.8125, 8, 0.5)


def test_the_interval_of_the_area():
    # A member's share of others below it: 1, 7/8, 7/8, 1/2, which lie 3, 1, 1 and -5 sixteenths from the area; the
    # others' lie as far. DeLong's variance is 36/256 / 3 / 4 for either side, 3/128 together; 13/16 x 3/16 over that
    # is 6.5, times (1.959964 / 3.182446)^2, Student's t at 3 degrees of freedom.
    score, worth = auc(side(MEMBERS), side(OTHERS)), 6.5 * (1.959964 / 3.182446) ** 2
    hits = 0.8125 * worth
    assert score.low == pytest.approx(betaincinv(hits, worth - hits + 1, 0.025), abs=1e-5)
    assert score.high == pytest.approx(betaincinv(hits + 1, worth - hits, 0.975), abs=1e-5)


def test_the_area_agrees_with_scikit_learn():
    from sklearn.metrics import roc_auc_score

    members, others = rng().integers(0, 9, 80) + 1.0, rng().integers(0, 9, 60) + 0.0
    expected = roc_auc_score(np.repeat([1, 0], [80, 60]), np.concatenate([members, others]))
    assert auc(side(members), side(others)).value == pytest.approx(expected, abs=1e-6)


def test_its_interval_agrees_with_drawing_documents_one_by_one():
    draw = np.random.default_rng(1)
    scores = [np.repeat(draw.normal(shift, 1, 80), 5) + draw.normal(0, 1, 400) for shift in (0.7, 0)]
    ours = auc(side(scores[0], 5), side(scores[1], 5))
    areas = []
    for _ in range(400):
        members, others = (values.reshape(80, 5)[draw.integers(0, 80, 80)].ravel() for values in scores)
        areas.append(np.mean(np.searchsorted(np.sort(others), members)) / 400)
    low, high = np.quantile(areas, [0.025, 0.975])
    assert ours.low == pytest.approx(low, abs=0.015)
    assert ours.high == pytest.approx(high, abs=0.015)
    alone = auc(side(scores[0]), side(scores[1]))
    assert ours.high - ours.low > 1.4 * (alone.high - alone.low)


def test_sides_wholly_apart_leave_the_doubt_of_so_few_documents():
    # Ten comparisons, all won: 0.025^(1/10).
    apart = auc(side(np.arange(50) + 100, 5), side(np.arange(60), 5))
    assert (apart.value, apart.high) == (1, 1)
    assert apart.low == pytest.approx(0.025**0.1, abs=1e-6)
    assert auc(side(np.arange(60), 5), side(np.arange(50) + 100, 5)).high == pytest.approx(1 - 0.025**0.1, abs=1e-6)


def test_one_score_for_all_tells_nothing():
    score = auc(side(np.ones(20)), side(np.ones(20)))
    assert score.value == 0.5
    assert score.low < 0.3 < 0.7 < score.high


def test_the_advantage_at_a_threshold():
    # 15 of 20 less 5 of 20; the tables give 0.508954 to 0.913429 for 15 of 20, the mirror of which is 5 of 20.
    score = advantage(side(np.tile(MEMBERS, 5)), side(np.tile(OTHERS, 5)), rng(), threshold=2.0)
    assert (score.value, score.n, score.baseline) == (0.5, 40, 0)
    assert score.low == pytest.approx(0.5 - 2**0.5 * (0.75 - 0.508954), abs=1e-5)
    assert score.high == pytest.approx(0.5 + 2**0.5 * (0.913429 - 0.75), abs=1e-5)


def test_the_best_threshold():
    # Gains of 1/4 at 3, 1/2 at 2, 1/4 at 1 and 0 at 0.
    assert best_threshold(MEMBERS, OTHERS) == 2
    assert best_threshold(OTHERS, OTHERS) == np.inf


def test_halves_that_agree_on_the_threshold_give_the_advantage_of_the_whole():
    members, others = side([1.0] * 18 + [0.0] * 2), side([1.0] * 2 + [0.0] * 18)
    assert advantage(members, others, rng()) == advantage(members, others, rng(), threshold=1.0)
    assert advantage(members, others, rng()).value == 0.8


def test_a_document_is_never_called_by_a_threshold_it_helped_to_choose():
    # The best threshold of pure chance shows an advantage on the rows that it was chosen on, and none on others.
    draw = np.random.default_rng(2)
    drawn = [(side(draw.normal(size=40)), side(draw.normal(size=40))) for _ in range(200)]
    counts = [tally(members.scores, others.scores) for members, others in drawn]
    assert np.mean([(count.hits - count.alarms).max() / 40 for count in counts]) > 0.1
    assert abs(np.mean([advantage(members, others, draw).value for members, others in drawn])) < 0.025


def test_a_rate_over_documents():
    # Two documents of four wholly called. Between documents 4/3 x 25/400 = 1/12, within 0.25/19; Student's t is
    # 2.093024 at 19 and 3.182446 at 3 degrees of freedom.
    worth = 20 * (0.25 / 19) / (1 / 12) * (2.093024 / 3.182446) ** 2
    share, low, high = rate(np.repeat([True, True, False, False], 5), side(np.zeros(20), 5))
    assert share == 0.5
    assert low == pytest.approx(betaincinv(worth / 2, worth / 2 + 1, 0.025), abs=1e-6)
    assert high == pytest.approx(1 - low)


def test_independent_rows_have_the_exact_interval():
    assert rate(np.arange(20) < 15, side(np.zeros(20))) == pytest.approx((0.75, 0.508954, 0.913429), abs=1e-6)


def test_documents_that_are_all_alike_are_no_gain():
    # Every document has one row of four called: less spread than chance gives, and still worth 40 rows, no more.
    spread = rate(np.arange(40) % 4 == 0, side(np.zeros(40), 4))
    assert spread == pytest.approx(rate(np.arange(40) % 4 == 0, side(np.zeros(40))))


def test_with_no_row_called_each_document_counts_once():
    assert rate(np.zeros(40, dtype=bool), side(np.zeros(40), 4))[2] == pytest.approx(1 - 0.025**0.1)


def test_the_members_caught_at_a_rate():
    # Of 1000 others 0 to 999, ten lie above 989 and one above 998; of 20 members five lie at 989.5 and three at 5000.
    members, others = side([989.5] * 5 + [5000.0] * 3 + [0.0] * 12), side(np.arange(1000))
    at_percent, at_mille = operating(members, others, 0.01), operating(members, others, 0.001)
    assert (at_percent.realised.value, at_percent.tpr.value, at_percent.tpr.baseline) == (0.01, 0.4, 0.01)
    assert (at_mille.realised.value, at_mille.tpr.value, at_mille.tpr.n) == (0.001, 0.15, 20)
    # Tables: 10 of 1000, 3 of 20.
    assert (at_percent.realised.low, at_percent.realised.high) == pytest.approx((0.004805, 0.018314), abs=1e-5)
    assert (at_mille.tpr.low, at_mille.tpr.high) == pytest.approx((0.032071, 0.378927), abs=1e-5)


def test_others_that_score_the_same_are_accused_together_or_not_at_all():
    others = side([5.0] * 20 + [0.0] * 980)
    point = operating(side([5.0] * 10 + [6.0] * 10), others, 0.01)
    assert (point.realised.value, point.tpr.value) == (0, 0.5)
    assert point.realised.high == pytest.approx(1 - 0.025**0.001, abs=1e-6)


@pytest.mark.parametrize(("asked", "needed"), [(0.01, 100), (0.001, 1000), (0.03, 34)])
def test_a_rate_that_so_few_others_cannot_tell_is_refused(asked, needed):
    assert operating(side(np.ones(20)), side(np.arange(needed)), asked).reason is None
    point = operating(side(np.ones(20)), side(np.arange(needed - 1)), asked)
    assert (point.realised, point.tpr) == (None, None)
    assert point.reason == f"{needed - 1} others cannot tell a false-positive rate of {asked}; give {needed}"


@pytest.mark.parametrize("delta", [0, 0.1])
def test_epsilon_of_ten_told_apart_from_ten(delta):
    sure = 0.025**0.1
    bound = epsilon(side(np.ones(10)), side(np.zeros(10)), rng(), delta=delta, threshold=1.0)
    assert bound.at_least == pytest.approx(np.log((sure - delta) / (1 - sure)), abs=1e-6)
    assert bound.provable == bound.at_least
    assert (bound.members, bound.others, bound.confidence) == (10, 10, 0.95)


def test_epsilon_from_those_who_are_cleared():
    # All 20 members and 10 of 20 others are called: TPR at least 0.831567, FPR at most 0.728043 (tables). Calling
    # gives log(0.8316 / 0.7280) = 0.133, clearing log(0.271957 / 0.168433) = 0.479.
    bound = epsilon(side(np.ones(20)), side([1.0] * 10 + [0.0] * 10), rng(), threshold=1.0)
    assert bound.at_least == pytest.approx(np.log(0.271957 / 0.168433), abs=1e-5)


def test_epsilon_without_a_threshold_measures_the_half_that_did_not_choose():
    bound = epsilon(side(np.ones(20)), side(np.zeros(30)), rng())
    sure, spared = 0.025**0.1, 0.025 ** (1 / 15)
    assert (bound.members, bound.others) == (10, 15)
    assert bound.at_least == pytest.approx(np.log(max(sure / (1 - spared), spared / (1 - sure))), abs=1e-6)


def test_nothing_is_proved_by_scores_that_tell_nothing():
    assert epsilon(side(np.ones(50)), side(np.ones(50)), rng()).at_least == 0


def test_what_proves_nothing_is_refused():
    few = epsilon(side(np.ones(5)), side(np.zeros(5)), rng(), threshold=1.0)
    assert (few.at_least, few.provable) == (None, 0)
    assert "so few rows prove nothing" in few.reason
    shared = epsilon(side(np.ones(40), 2), side(np.zeros(40)), rng(), threshold=1.0)
    assert shared.at_least is None
    assert "rows of one document" in shared.reason


def test_all_figures_together():
    members, others = np.tile(MEMBERS, 50), np.tile(OTHERS, 50)
    figures = membership(
        members, others, member_groups=names("m", 200), other_groups=names("o", 200), rng=rng(), threshold=2.0
    )
    assert (figures.advantage.value, figures.auc.value) == (0.5, 0.8125)
    assert [(point.asked, point.reason is None) for point in figures.at] == [(0.01, True), (0.001, False)]
    # Of 200 others two may be accused, but fifty share the highest score: none is, and the 50 threes are caught.
    assert (figures.at[0].realised.value, figures.at[0].tpr.value) == (0, 0.25)
    assert 0 < figures.epsilon.at_least < np.log(3) < figures.epsilon.provable
    assert len(figures.roc) == 5


def test_what_cannot_be_scored_is_refused():
    with pytest.raises(InputError, match="1 groups, such as 'm3', hold members and others"):
        sides(np.ones(20), np.ones(20), member_groups=names("m", 20), other_groups=["m3", *names("o", 19)])
    with pytest.raises(InputError, match=r"members of shape \(20,\) but 19 groups"):
        sides(np.ones(20), np.ones(20), member_groups=names("m", 19), other_groups=names("o", 20))
    with pytest.raises(InputError, match="others hold values that are not finite"):
        sides(np.ones(20), np.full(20, np.nan), member_groups=names("m", 20), other_groups=names("o", 20))
    with pytest.raises(InputError, match="9 documents of members are too few"):
        sides(np.ones(9), np.ones(20), member_groups=names("m", 9), other_groups=names("o", 20))
    with pytest.raises(InputError, match="a delta of 1"):
        epsilon(side(np.ones(20)), side(np.ones(20)), rng(), delta=1)
    with pytest.raises(InputError, match="a false-positive rate of 0"):
        operating(side(np.ones(20)), side(np.ones(20)), 0)


def flags(called):
    """Scores by which a threshold anywhere between 0 and 1 calls exactly these."""
    return side(np.asarray(called, dtype=np.float64))


def test_a_gain_by_hand():
    # Of 40 members the attack finds 30 and the baseline 10, all of them among the 30; of 40 others neither accuses one.
    attack = flags(np.arange(40) < 30), flags(np.zeros(40))
    baseline = flags(np.arange(40) < 10), flags(np.zeros(40))
    score = gain(attack, baseline, rng())
    more_low, more_high = betaincinv(20, 21, 0.025), betaincinv(21, 20, 0.975)
    none_high = betaincinv(1, 40, 0.975)
    assert score.value == 0.5
    assert score.low == pytest.approx(0.5 - np.sqrt((0.5 - more_low) ** 2 + 3 * none_high**2 - none_high**2), abs=1e-6)
    assert score.high == pytest.approx(0.5 + np.sqrt((more_high - 0.5) ** 2 + none_high**2), abs=1e-6)
    assert (score.n, score.baseline) == (80, 0)


def test_a_gain_over_itself_is_none_and_still_no_certainty():
    attack = flags(np.arange(40) < 30), flags(np.arange(40) < 5)
    score = gain(attack, attack, rng())
    assert score.value == 0
    assert score.low == -score.high < 0


def test_calls_that_trade_places_vary_more():
    # Of 40 members, 10 are found by the attack alone and 10 by the baseline alone: the two shares exclude each other.
    attack = flags(np.arange(40) < 20), flags(np.zeros(40))
    baseline = flags((np.arange(40) < 10) | (np.arange(40) >= 30)), flags(np.zeros(40))
    low, high = betaincinv(10, 31, 0.025), betaincinv(11, 30, 0.975)
    one, other = 0.25 - low, high - 0.25
    none_high = betaincinv(1, 40, 0.975)
    reach = np.sqrt(one**2 + 2 / 3 * one * other + other**2 + 2 * none_high**2 - none_high**2)
    score = gain(attack, baseline, rng())
    assert score.value == 0
    assert score.high == pytest.approx(reach, abs=1e-6)


def test_intervals_of_a_gain_hold_the_truth():
    draws, held = np.random.default_rng(5), 0
    for _ in range(300):
        members = draws.normal(size=(60, 1)) + draws.normal(size=(60, 2)) + [1.5, 1.0]
        others = draws.normal(size=(60, 1)) + draws.normal(size=(60, 2))
        sides_of = [(side(members[:, column]), side(others[:, column])) for column in (0, 1)]
        score = gain(*sides_of, draws)
        # Of normal scores of variance 2 whose means differ by d, the best threshold gives 2 Phi(d / 2 sqrt 2) - 1.
        truth = 2 * (norm.cdf(1.5 / np.sqrt(8)) - norm.cdf(1 / np.sqrt(8)))
        held += score.low <= truth <= score.high
    assert held / 300 >= 0.93
