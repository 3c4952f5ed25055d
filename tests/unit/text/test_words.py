import pytest

from vestige.text.sentences import split_sentences
from vestige.text.words import content_words, count_words, words


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


def test_sentences_do_not_break_at_a_title():
    assert split_sentences("I met Dr. Smith at noon. He\nwas late.") == ["I met Dr. Smith at noon.", "He was late."]
