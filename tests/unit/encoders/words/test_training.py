from vestige.encoders.words.training import find_frequent_words, split_pieces
from vestige.text.corpus import Corpus


def test_frequent_words_by_hand():
    known = find_frequent_words(Corpus("tiny", ["b a, c!", "A b b", "a"]), 2)
    assert known.words == ("a", "b")
    assert known.counts == (3, 3)
    assert known.texts == [["b", "a"], ["a", "b", "b"], ["a"]]


def test_long_texts_come_in_pieces():
    assert [len(piece) for piece in split_pieces(["w"] * 25_001)] == [10_000, 10_000, 5_001]
    assert list(split_pieces([])) == []
