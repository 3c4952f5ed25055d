"""Conditions that fail a comparison."""

from dataclasses import replace

import pytest

from tests.sample_comparison import base_result, new_result, scored
from tests.sample_result import result
from vestige.audit.compare import compare
from vestige.errors import InputError

WORDS, BETTER = result(scored("words", 0.4)), result(scored("words", 0.3, seed=1))


def check(base, new, *conditions):
    return [gate.held for gate in compare(base, new, fail_on=conditions).gates]


def test_worse_fails_if_any_probe_is_worse():
    assert check(base_result(), new_result(), "worse") == [False]
    assert check(new_result(), base_result(), " worse ") == [False]  # keywords rise in this direction
    assert check(WORDS, BETTER, "worse") == [True]
    assert check(BETTER, WORDS, "worse") == [False]


def test_worse_fails_if_new_lost_a_probe_and_not_if_it_has_one_more():
    both = result(scored("words", 0.4), scored("keywords", 0.4))
    assert check(both, WORDS, "worse") == [False]
    other = result(scored("words", 0.4), replace(scored("keywords", 0.4), headline="recall"))
    assert check(both, other, "worse") == [False]
    assert check(WORDS, both, "worse") == [True]


def test_worse_fails_if_new_has_a_warning_and_not_if_base_had_one():
    warned = replace(scored("keywords", 0.4), warnings=("odd",))
    sound, odd = result(scored("words", 0.4), scored("keywords", 0.4)), result(scored("words", 0.4), warned)
    assert check(sound, odd, "worse") == [False]
    assert check(odd, sound, "worse") == [True]


def test_worse_fails_if_nothing_can_be_compared():
    assert check(result(), WORDS, "worse") == [False]


def test_a_difference_is_held_against_its_limit():
    outcomes = check(BETTER, WORDS, "words>+0.02", "words>0.2", "words.low>+0.02", "words.high>+0.2", "words<-0.02")
    assert outcomes == [False, True, False, True, True]
    assert check(WORDS, BETTER, "words<-0.02") == [False]


def test_a_probe_that_cannot_be_compared_does_not_pass():
    gates = compare(base_result(), new_result(), fail_on=("names>+0.02", "patterns>+0.02")).gates
    assert [gate.held for gate in gates] == [False, False]
    assert "warning" in gates[0].explanation
    assert "neither side" in gates[1].explanation


@pytest.mark.parametrize(
    ("condition", "complaint"),
    [
        ("worst", "expected 'worse' or a form such as 'words>\\+0.02'"),
        ("wrods>+0.02", "names no probe"),
        ("words.recall>+0.02", "names a measure"),
        ("words>+x", "cannot be read"),
    ],
)
def test_other_conditions_are_refused(condition, complaint):
    with pytest.raises(InputError, match=complaint):
        compare(base_result(), new_result(), fail_on=(condition,))
