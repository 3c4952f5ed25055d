"""The advantage, its gain and the bound on epsilon: by hand and from tables."""

import numpy as np
import pytest
from scipy.special import betaincinv
from scipy.stats import norm

from tests.golden.membership.scores import MEMBERS, OTHERS, grouped, rng
from vestige.errors import InputError
from vestige.metrics.membership.advantage import advantage, advantage_gain, best_threshold, epsilon_bound
from vestige.metrics.membership.roc import tally


def test_the_advantage_at_a_threshold():
    # 15 of 20 less 5 of 20; the tables give 0.508954 to 0.913429 for 15 of 20, the mirror of which is 5 of 20.
    score = advantage(grouped(np.tile(MEMBERS, 5)), grouped(np.tile(OTHERS, 5)), rng(), threshold=2.0)
    assert (score.value, score.n, score.baseline) == (0.5, 40, 0)
    assert score.low == pytest.approx(0.5 - 2**0.5 * (0.75 - 0.508954), abs=1e-5)
    assert score.high == pytest.approx(0.5 + 2**0.5 * (0.913429 - 0.75), abs=1e-5)


def test_the_best_threshold():
    # Gains of 1/4 at 3, 1/2 at 2, 1/4 at 1 and 0 at 0.
    assert best_threshold(MEMBERS, OTHERS) == 2
    assert best_threshold(OTHERS, OTHERS) == np.inf


def test_halves_that_agree_on_the_threshold_give_the_advantage_of_the_whole():
    members, others = grouped([1.0] * 18 + [0.0] * 2), grouped([1.0] * 2 + [0.0] * 18)
    assert advantage(members, others, rng()) == advantage(members, others, rng(), threshold=1.0)
    assert advantage(members, others, rng()).value == 0.8


def test_a_document_is_never_called_by_a_threshold_it_helped_to_choose():
    # The best threshold of pure chance shows an advantage on the rows that it was chosen on, and none on others.
    draw = np.random.default_rng(2)
    drawn = [(grouped(draw.normal(size=40)), grouped(draw.normal(size=40))) for _ in range(200)]
    counts = [tally(members.scores, others.scores) for members, others in drawn]
    assert np.mean([(count.hits - count.alarms).max() / 40 for count in counts]) > 0.1
    assert abs(np.mean([advantage(members, others, draw).value for members, others in drawn])) < 0.025


@pytest.mark.parametrize("delta", [0, 0.1])
def test_epsilon_of_ten_perfectly_separated_from_ten(delta):
    sure = 0.025**0.1
    bound = epsilon_bound(grouped(np.ones(10)), grouped(np.zeros(10)), rng(), delta=delta, threshold=1.0)
    assert bound.at_least == pytest.approx(np.log((sure - delta) / (1 - sure)), abs=1e-6)
    assert bound.provable == bound.at_least
    assert (bound.members, bound.others, bound.confidence) == (10, 10, 0.95)


def test_epsilon_from_those_who_are_cleared():
    # All 20 members and 10 of 20 others are called: TPR at least 0.831567, FPR at most 0.728043 (tables). Calling
    # gives log(0.8316 / 0.7280) = 0.133, clearing log(0.271957 / 0.168433) = 0.479.
    bound = epsilon_bound(grouped(np.ones(20)), grouped([1.0] * 10 + [0.0] * 10), rng(), threshold=1.0)
    assert bound.at_least == pytest.approx(np.log(0.271957 / 0.168433), abs=1e-5)


def test_epsilon_without_a_threshold_measures_the_half_that_did_not_choose():
    bound = epsilon_bound(grouped(np.ones(20)), grouped(np.zeros(30)), rng())
    sure, spared = 0.025**0.1, 0.025 ** (1 / 15)
    assert (bound.members, bound.others) == (10, 15)
    assert bound.at_least == pytest.approx(np.log(max(sure / (1 - spared), spared / (1 - sure))), abs=1e-6)


def test_equal_scores_prove_nothing():
    assert epsilon_bound(grouped(np.ones(50)), grouped(np.ones(50)), rng()).at_least == 0


def test_too_few_or_dependent_rows_give_no_bound():
    few = epsilon_bound(grouped(np.ones(5)), grouped(np.zeros(5)), rng(), threshold=1.0)
    assert (few.at_least, few.provable) == (None, 0)
    assert "so few rows prove nothing" in few.reason
    shared = epsilon_bound(grouped(np.ones(40), 2), grouped(np.zeros(40)), rng(), threshold=1.0)
    assert shared.at_least is None
    assert "rows of one document" in shared.reason


def flags(called):
    """Scores by which a threshold anywhere between 0 and 1 calls exactly these."""
    return grouped(np.asarray(called, dtype=np.float64))


def test_a_gain_by_hand():
    # Of 40 members the attack finds 30 and the baseline 10, all of them among the 30; of 40 others neither accuses one.
    attack = flags(np.arange(40) < 30), flags(np.zeros(40))
    baseline = flags(np.arange(40) < 10), flags(np.zeros(40))
    score = advantage_gain(attack, baseline, rng())
    more_low, more_high = betaincinv(20, 21, 0.025), betaincinv(21, 20, 0.975)
    none_high = betaincinv(1, 40, 0.975)
    assert score.value == 0.5
    assert score.low == pytest.approx(0.5 - np.sqrt((0.5 - more_low) ** 2 + 3 * none_high**2 - none_high**2), abs=1e-6)
    assert score.high == pytest.approx(0.5 + np.sqrt((more_high - 0.5) ** 2 + none_high**2), abs=1e-6)
    assert (score.n, score.baseline) == (80, 0)


def test_a_gain_over_itself_is_none_and_still_no_certainty():
    attack = flags(np.arange(40) < 30), flags(np.arange(40) < 5)
    score = advantage_gain(attack, attack, rng())
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
    score = advantage_gain(attack, baseline, rng())
    assert score.value == 0
    assert score.high == pytest.approx(reach, abs=1e-6)


def test_intervals_of_a_gain_hold_the_truth():
    draws, held = np.random.default_rng(5), 0
    for _ in range(300):
        members = draws.normal(size=(60, 1)) + draws.normal(size=(60, 2)) + [1.5, 1.0]
        others = draws.normal(size=(60, 1)) + draws.normal(size=(60, 2))
        sides_of = [(grouped(members[:, column]), grouped(others[:, column])) for column in (0, 1)]
        score = advantage_gain(*sides_of, draws)
        # Of normal scores of variance 2 whose means differ by d, the best threshold gives 2 Phi(d / 2 sqrt 2) - 1.
        truth = 2 * (norm.cdf(1.5 / np.sqrt(8)) - norm.cdf(1 / np.sqrt(8)))
        held += score.low <= truth <= score.high
    assert held / 300 >= 0.93


def test_a_delta_of_1_is_refused():
    with pytest.raises(InputError, match="a delta of 1"):
        epsilon_bound(grouped(np.ones(20)), grouped(np.ones(20)), rng(), delta=1)
