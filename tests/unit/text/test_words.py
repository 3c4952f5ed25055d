"""Words, content words, and tokens with punctuation."""

import pytest

from vestige.text.words import content_words, count_words, detokenize, tokenize, words


def test_tokens_are_words_and_marks_in_lower_case():
    assert tokenize("It's Ann, 3.5 times (or so)!") == ["it's", "ann", ",", "3.5", "times", "(", "or", "so", ")", "!"]
    assert tokenize("under_scores\tand *stars*") == ["under", "scores", "and", "stars"]
    assert tokenize("cafe\u0301") == ["café"]
    assert tokenize("") == []


@pytest.mark.parametrize("text", ["a man, a plan (of sorts): why?", "no; yes! 3.5 times."])
def test_detokenizing_puts_marks_where_a_reader_expects_them(text):
    assert detokenize(tokenize(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The bank's fee wasn't mine.", {"bank", "fee"}),
        ("It's they've don't I'm we'd we'd've did", set()),
        ("I paid $1,000.00 on 12/2016", {"paid", "1,000.00", "12", "2016"}),
        ("Crème brûlée, Москва", {"crème", "brûlée", "москва"}),
        ("O’Brien's o'clock l'Oréal", {"o'brien", "o'clock", "l'oréal"}),
        ("The bill, the amount and the name", {"bill", "amount", "name"}),
        ("re\u0301sume\u0301", {"résumé"}),
        ("snake_case and x", {"snake", "case"}),
        ("", set()),
    ],
)
def test_content_words(text, expected):
    assert content_words(text) == expected


def test_words_keep_their_order_and_stop_words():
    assert words("The cat, the Hat!") == ["the", "cat", "the", "hat"]
    assert count_words("The cat, the Hat!") == 4
