"""Texts to words and marks and back."""

import pytest

from vestige.text.tokens import tokens, written


def test_words_and_marks_in_order_lower_cased():
    assert tokens("It's Ann, 3.5 times (or so)!") == ["it's", "ann", ",", "3.5", "times", "(", "or", "so", ")", "!"]
    assert tokens("under_scores\tand *stars*") == ["under", "scores", "and", "stars"]
    assert tokens("cafe\u0301") == ["café"]
    assert tokens("") == []


@pytest.mark.parametrize("text", ["a man, a plan (of sorts): why?", "no; yes! 3.5 times."])
def test_marks_stand_where_a_reader_expects_them(text):
    assert written(tokens(text)) == text
