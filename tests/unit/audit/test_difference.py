"""The difference of two findings, and the error rate that all of them share."""

import pytest

from vestige.audit.difference import classify, share_error, subtract_scores
from vestige.types import Score


def test_words_get_half_of_the_error_rate():
    assert share_error(["words", "names", "keywords", "budget"]) == {"words": 2, "names": 6, "keywords": 6, "budget": 6}
    assert share_error(["names", "keywords"]) == {"names": 2, "keywords": 2}
    assert share_error(["words"]) == {"words": 1}
    assert share_error([]) == {}
    for probes in (["words"], ["words", "names"], ["a", "b", "c"], ["words", *"abcdefgh"]):
        assert sum(1 / among for among in share_error(probes).values()) == pytest.approx(1)


def test_scores_of_different_targets_have_the_root_of_both_squared_widths():
    """0.10 and 0.16 with half-widths 0.03 and 0.04: 0.05 by Pythagoras, and 1.96 * 0.005 for the fit."""
    base, new = Score(0.10, 0.07, 0.13, 100, 0.0), Score(0.16, 0.12, 0.20, 100, 0.0)
    difference = subtract_scores(base, new, among=1)
    half = (0.05**2 + (1.95996 * 0.005) ** 2) ** 0.5
    assert difference.value == pytest.approx(0.06)
    assert (difference.low, difference.high) == pytest.approx((0.06 - half, 0.06 + half), abs=2e-4)


def test_a_difference_is_worse_or_better_only_with_its_whole_interval():
    assert classify(Score(0.1, 0.01, 0.2, 9, 0.0)) == "worse"
    assert classify(Score(-0.1, -0.2, -0.01, 9, 0.0)) == "better"
    assert classify(Score(0.1, 0.0, 0.2, 9, 0.0)) == "undecided"
