"""Texts to numbers and back."""

import pytest

from vestige.attacks.guided.lexicon import Lexicon


def test_the_most_frequent_words_and_marks_are_kept_ties_by_the_alphabet():
    lexicon = Lexicon.build(["It's b, a.", "a b", "It's a"], 3)
    assert lexicon.words == ("a", "b", "it's")
    assert lexicon.edge == 3


@pytest.mark.parametrize("text", ["a man, a plan (of sorts): why?", 'she said "no" - 3.5 times!'])
def test_what_is_read_is_spelled_again(text):
    lexicon = Lexicon.build([text], 100)
    assert lexicon.read(lexicon.spell(lexicon.read(text))) == lexicon.read(text)


def test_marks_stand_where_a_reader_expects_them():
    text = "a man, a plan (of sorts): why?"
    lexicon = Lexicon.build([text], 100)
    assert lexicon.spell(lexicon.read(text)) == text


def test_words_are_counted_and_unknown_ones_passed_over():
    lexicon = Lexicon.build(["a a b"], 2)
    assert lexicon.counts(["b a b z", "z", ""]).toarray().tolist() == [[1, 2], [0, 0], [0, 0]]
