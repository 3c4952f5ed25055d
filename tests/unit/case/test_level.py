"""Levels of leakage, and doubts about a finding."""

import pytest

from vestige.case.findings import Measure
from vestige.case.level import describe_no_gain, find_control_doubts, find_doubts, gain_over, grade_leakage
from vestige.types import Score


@pytest.mark.parametrize(
    ("leakage", "level"),
    [
        (Score(0.30, 0.29, 0.31, 9), "severe"),
        (Score(0.2999, 0.29, 0.31, 9), "substantial"),
        (Score(0.10, 0.09, 0.11, 9), "substantial"),
        (Score(0.0999, 0.09, 0.11, 9), "slight"),
        (Score(0.02, 0.0, 0.0999, 9), "none"),
        (Score(0.05, 0.0, 0.10, 9), "unknown"),
        (Score(0.5, -0.1, 0.9, 9), "unknown"),
    ],
)
def test_levels_at_their_limits(leakage, level):
    assert grade_leakage(leakage) == level


def test_a_gain_that_could_not_be_determined_is_not_called_safe():
    assert describe_no_gain("A stranger", Score(0.01, -0.02, 0.04, 9)).startswith("A stranger learns no more")
    assert describe_no_gain("A stranger", Score(0.2, -0.1, 0.5, 9)).endswith("may be anything up to 0.50.")


def test_the_gain_over_a_known_prior_shifts_the_interval():
    gain = gain_over(Score(0.7, 0.6, 0.8, 9, 0.5), 0.5)
    assert (gain.value, gain.low, gain.high) == pytest.approx((0.2, 0.1, 0.3))
    assert (gain.n, gain.baseline) == (9, 0.0)


def test_an_attack_that_did_not_learn_raises_a_doubt():
    low, prior = Score(0.03, 0.02, 0.04, 99), Score(0.07, 0.06, 0.08, 99)
    assert "it did not learn" in find_doubts(Measure("f1", "F1", low, prior, low))[0]
    assert find_doubts(Measure("f1", "F1", Score(0.5, 0.4, 0.6, 99), prior, low)) == ()


def test_a_control_raises_a_doubt_only_if_it_is_clearly_above_the_prior():
    attack, coin = Score(0.9, 0.8, 1.0, 99), Score(0.5, 0.5, 0.5, 99)
    assert find_doubts(Measure("accuracy", "Accuracy", attack, coin, Score(0.51, 0.47, 0.55, 99))) == ()
    above = Measure("accuracy", "Accuracy", attack, coin, Score(0.56, 0.52, 0.6, 99))
    assert "control" in find_doubts(above)[0]
    assert find_control_doubts(above) == find_doubts(above)
