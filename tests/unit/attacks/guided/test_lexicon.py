"""Texts to numbers and back."""

import numpy as np
import pytest

from vestige.attacks.guided.lexicon import DISCOUNT, BigramModel, Lexicon


def test_the_most_frequent_words_and_marks_are_kept_ties_by_the_alphabet():
    lexicon = Lexicon.build(["It's b, a.", "a b", "It's a"], 3)
    assert lexicon.words == ("a", "b", "it's")
    assert lexicon.edge == 3


@pytest.mark.parametrize("text", ["a man, a plan (of sorts): why?", 'she said "no" - 3.5 times!'])
def test_what_is_read_is_spelled_again(text):
    lexicon = Lexicon.build([text], 100)
    assert lexicon.parse(lexicon.spell(lexicon.parse(text))) == lexicon.parse(text)


def test_marks_stand_where_a_reader_expects_them():
    text = "a man, a plan (of sorts): why?"
    lexicon = Lexicon.build([text], 100)
    assert lexicon.spell(lexicon.parse(text)) == text


def test_words_are_counted_and_unknown_ones_passed_over():
    lexicon = Lexicon.build(["a a b"], 2)
    assert lexicon.counts(["b a b z", "z", ""]).toarray().tolist() == [[1, 2], [0, 0], [0, 0]]


A, B, EDGE = 0, 1, 2


def test_probabilities_by_hand():
    """Texts "a b" and "a a": after a came b, a and an edge, once each; b follows one word, the edge two, a two."""
    table = np.exp(BigramModel([(A, B), (A, A)], EDGE).table(np.array([A, B, EDGE])))
    continuation = np.array([2.5, 1.5, 2.5]) / 6.5
    spared = DISCOUNT * 3 / 3
    assert table[A, B] == pytest.approx((1 - DISCOUNT) / 3 + spared * continuation[B])
    assert table[EDGE, A] == pytest.approx((2 - DISCOUNT) / 2 + DISCOUNT / 2 * continuation[A])
    assert table[EDGE, B] == pytest.approx(DISCOUNT / 2 * continuation[B])


def test_what_follows_adds_up_to_one():
    model = BigramModel([(0, 1, 2), (2, 2, 0), (1,)], 4)
    assert np.exp(model.table(np.arange(5))).sum(axis=1) == pytest.approx(1)


def test_a_word_never_seen_falls_back_on_how_many_words_each_follows():
    model = BigramModel([(0, 1)], 3)
    table = model.table(np.arange(4))
    assert np.exp(table[2]).sum() == pytest.approx(1)
    assert table[2, 0] == table[2, 1] > table[2, 2]


def test_further_words_come_last_and_once():
    lexicon = Lexicon.build(["the cat sat"], 9).add(["cat", "dog", "dog", "two words", "Dog"])
    assert lexicon.words == ("cat", "sat", "the", "dog")
    assert lexicon.spell(lexicon.parse("the dog sat")) == "the dog sat"
    assert lexicon.edge == 4
