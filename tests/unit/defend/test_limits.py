"""Limits on leakage and utility."""

import pytest

from tests.unit.defend.trials import score
from vestige.defend.limits import check_measured, find_margin, parse_limit
from vestige.errors import InputError
from vestige.types import Score


def test_a_limit_is_read():
    limit = parse_limit(" recall@10 > 0.9 ")
    assert (limit.expression, limit.measure, limit.above, limit.value) == ("recall@10 > 0.9", "recall@10", True, 0.9)
    assert not parse_limit("words<.1").above
    assert [parse_limit(f"words<{end}").value for end in ("0", "1", "1.0")] == [0, 1, 1]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("words", "cannot be read"),
        ("words<x", "cannot be read"),
        ("words<=0.1", "cannot be read"),
        ("word<0.1", "did you mean 'words'"),
        ("words>0.1", "did you mean 'words<0.1'"),
        ("recall@10<0.9", "did you mean 'recall@10>0.9'"),
        ("words<10", "asks for 10; expected a share from 0 to 1; write ten percent as 'words<0.10'"),
        ("recall@10>90", "expected a share from 0 to 1"),
        ("words<-0.1", "cannot be read"),
    ],
)
def test_a_limit_that_cannot_be_read_is_refused_with_a_suggestion(expression, message):
    with pytest.raises(InputError, match=message):
        parse_limit(expression)


@pytest.mark.parametrize(
    ("expression", "low", "high", "missed", "hopeless"),
    [
        ("words<0.10", 0.05, 0.09, -0.01, False),
        ("words<0.10", 0.05, 0.10, 0.00, False),
        ("words<0.10", 0.05, 0.12, 0.02, False),
        ("words<0.10", 0.11, 0.12, 0.02, True),
        ("recall@10>0.9", 0.91, 0.95, -0.01, False),
        ("recall@10>0.9", 0.85, 0.95, 0.05, False),
        ("recall@10>0.9", 0.80, 0.85, 0.10, True),
    ],
)
def test_the_whole_interval_must_be_on_the_right_side(expression, low, high, missed, hopeless):
    limit, found = parse_limit(expression), Score((low + high) / 2, low, high, 10)
    assert limit.margin(found) == pytest.approx(missed)
    assert limit.hopeless(found) is hopeless


def test_of_several_limits_the_one_missed_most_counts():
    limits = [parse_limit("words<0.10"), parse_limit("attributes<0.20")]
    scores = {"words": score(0.05), "attributes:author": score(0.10), "attributes:place": score(0.30)}
    assert find_margin(limits, scores) == pytest.approx(0.11)
    assert find_margin(limits[:1], scores) == pytest.approx(-0.04)
    assert find_margin([], scores) < 0


def test_a_limit_on_what_is_not_measured_is_refused():
    limits = [parse_limit("attributes<0.1")]
    check_measured(limits, ["words", "attributes:author"], {})
    with pytest.raises(InputError, match=r"attributes<0.1.*no column"):
        check_measured(limits, ["words"], {"attributes": "no column of labels"})
