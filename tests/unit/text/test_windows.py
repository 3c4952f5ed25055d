import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.windows import Windows, rarity_deciles

LEXICON = ("a", "b", "c", "d")
CORPUS = Corpus("two", ["A b, c d a.", "b c d", "a b x c d"], ["one", "two", "two"])


def test_a_window_slides_over_each_text_and_none_reaches_into_the_next():
    found = Windows.build(CORPUS, LEXICON, 3)
    assert found.words == [["a", "b", "c"], ["b", "c", "d"], ["c", "d", "a"], ["b", "c", "d"]]
    assert [LEXICON[number] for number in found.centres] == ["b", "c", "d", "c"]
    assert found.owners == ["one", "one", "one", "two"]


def test_a_window_with_a_word_out_of_the_lexicon_is_skipped():
    assert Windows.build(CORPUS, LEXICON[:3], 3).words == [["a", "b", "c"]]
    assert len(Windows.build(CORPUS, ("z",), 3)) == 0
    assert len(Windows.build(Corpus("none", []), LEXICON)) == 0
    assert len(Windows.build(CORPUS, LEXICON)) == 1


def test_windows_are_taken_by_number_and_by_flag():
    found = Windows.build(CORPUS, LEXICON, 3)
    assert found.take(np.array([3, 0])).words == [["b", "c", "d"], ["a", "b", "c"]]
    assert found.take(found.centres == 2).owners == ["one", "two"]


def test_copies_are_found_word_for_word_and_in_order():
    ours = Windows.build(Corpus("ours", ["a b c d", "c b a"]), LEXICON, 3)
    theirs = Windows.build(Corpus("theirs", ["d b c d a b c"]), LEXICON, 3)
    assert ours.words == [["a", "b", "c"], ["b", "c", "d"], ["c", "b", "a"]]
    assert ours.contained_in(theirs).tolist() == [True, True, False]
    with pytest.raises(InputError, match="different lexicons"):
        ours.contained_in(Windows.build(Corpus("theirs", ["a b c"]), LEXICON[:3], 3))


@pytest.mark.parametrize("width", [1, 4])
def test_a_window_needs_a_centre(width):
    with pytest.raises(InputError, match=f"a window of {width} words has no middle"):
        Windows.build(CORPUS, LEXICON, width)


def test_deciles_go_from_the_most_frequent_words_to_the_rarest():
    counts = [7, 900, 5, 5, 5, 40, 30, 20, 10, 8] * 2
    found = rarity_deciles(counts)
    assert found[:10].tolist() == [6, 0, 7, 7, 8, 1, 2, 3, 4, 5]
    assert found[10:].tolist() == [6, 0, 8, 9, 9, 1, 2, 3, 4, 5]
    assert rarity_deciles([]).tolist() == []
