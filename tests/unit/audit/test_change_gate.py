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


def weaken(**settings):
    return replace(BETTER, settings=replace(BETTER.settings, **settings))


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"pairs": 100}, "pairs 100 instead of"),
        ({"vocabulary_size": 10}, "vocabulary_size 10 instead of"),
        ({"access": "pairs"}, "access pairs instead of weights"),
        ({"recipe": "paper"}, "another value of recipe"),
        ({"keywords": ("harmless",)}, "another value of keywords"),
        ({"attributes": ("harmless",)}, "fewer attributes"),
    ],
)
def test_no_gate_holds_with_a_weaker_attacker(settings, reason):
    weaker = weaken(**settings)
    for gate in compare(WORDS, weaker, fail_on=("worse", "words>+0.02")).gates:
        assert not gate.held
        assert reason in gate.explanation
        assert "--allow-other-attacker" in gate.explanation
    accepted = compare(WORDS, weaker, fail_on=("worse", "words>+0.02"), allow_other_attacker=True)
    assert [gate.held for gate in accepted.gates] == [True, True]
    stronger = compare(weaker, WORDS, fail_on=("worse",)).gates[0]
    assert "the leakage rose" in stronger.explanation


def test_no_gate_holds_without_an_input_that_the_attacker_had():
    base = replace(WORDS, subject=replace(WORDS.subject, encoder="minilm", auxiliary="reviews"))
    new = replace(BETTER, subject=replace(WORDS.subject, encoder=None, auxiliary=None))
    gate = compare(base, new, fail_on=("worse",)).gates[0]
    assert not gate.held
    assert "no encoder, no auxiliary texts" in gate.explanation


def test_a_stronger_attacker_that_recovers_no_more_passes():
    more = weaken(pairs=2 * WORDS.settings.pairs, access=WORDS.settings.access)
    assert check(WORDS, more, "worse") == [True]


def test_fewer_pairs_than_the_settings_allow_are_noticed():
    fewer = replace(BETTER["words"], adversary=replace(BETTER["words"].adversary, pairs=10))
    gate = compare(WORDS, result(fewer), fail_on=("worse",)).gates[0]
    assert not gate.held
    assert "words with 10 pairs instead of" in gate.explanation


def test_a_chosen_probe_that_ran_on_neither_side_fails_the_gate():
    comparison = compare(WORDS, BETTER, probes=("words", "names"), fail_on=("worse",))
    assert comparison["names"].change == "not comparable"
    assert "did not run in BASE" in comparison["names"].reason
    assert not comparison.gates[0].held
    assert "names" in comparison.gates[0].explanation
