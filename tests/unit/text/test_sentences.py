"""Sentences end where a reader would end them."""

from vestige.text.sentences import split_sentences


def test_sentences_do_not_break_at_a_title():
    assert split_sentences("I met Dr. Smith at noon. He\nwas late.") == ["I met Dr. Smith at noon.", "He was late."]


def test_blank_text_has_no_sentences():
    assert split_sentences(" \n ") == []
