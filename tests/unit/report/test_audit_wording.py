from dataclasses import replace

from tests.sample_result import SUBJECT
from vestige.report.audit_wording import (
    NO_ENCODER,
    NO_TEXTS,
    describe_standing,
    describe_stronger_adversary,
    describe_wrong_words,
)
from vestige.types import Score


def test_standing_goes_by_the_interval_and_not_by_the_value():
    scores = [Score(0.1, 0.01, 0.2, 9), Score(0.1, 0.0, 0.2, 9), Score(-0.1, -0.2, -0.01, 9)]
    standings = [describe_standing(score) for score in scores]
    assert standings == ["above guessing", "not distinguishable from guessing", "below guessing"]


def test_a_stronger_adversary_is_described_unless_this_one_had_all():
    assert describe_stronger_adversary(SUBJECT) == ""
    assert describe_stronger_adversary(replace(SUBJECT, encoder=None)) == NO_ENCODER
    assert describe_stronger_adversary(replace(SUBJECT, texts=0)).startswith(NO_TEXTS)


def test_one_word_or_several():
    assert describe_wrong_words(1) == "1 more predicted word is not in the text."
    assert describe_wrong_words(2) == "2 more predicted words are not in the text."
