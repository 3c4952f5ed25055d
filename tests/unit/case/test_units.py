"""Units of text, and the rows that targets and adversary get."""

from collections import Counter

import pytest

from vestige.case.settings import Settings
from vestige.case.units import cut_units, find_usable_rows, refuse_unspaced, split_rows
from vestige.errors import InputError
from vestige.text.corpus import Corpus


def test_sentences_are_cut_and_those_that_are_skipped_are_counted():
    corpus = Corpus("two", ["Too short. The bank lost my letter about the loan.", "My card was charged twice in May."])
    skipped = Counter()
    units = cut_units(corpus, Settings(shortest=4), skipped)
    assert units.texts == ["The bank lost my letter about the loan.", "My card was charged twice in May."]
    assert sum(skipped.values()) == 1
    assert cut_units(corpus, Settings(unit="text"), skipped) is corpus


def test_rows_without_a_content_word_or_without_spaces_are_not_usable():
    assert find_usable_rows(Corpus("some", ["the of and", "a letter", "银行没有回答我的问题银行没有回答"])) == [1]


def test_documents_are_on_one_side_and_what_is_left_has_no_vector():
    texts = [f"gabax kocox word{row}" for row in range(400)]
    units = Corpus("many", texts, [str(row // 2) for row in range(400)])
    split, spare = split_rows(units, Settings(targets=50, pairs=100))
    sides = [{units.documents[row] for row in rows} for rows in (split.target, [*split.auxiliary, *spare])]
    assert not sides[0] & sides[1]
    assert not set(split.auxiliary) & set(spare)
    assert (len(split.target), len(split.auxiliary)) == (50, 100)


def test_text_without_spaces_is_refused():
    with pytest.raises(InputError, match="zh is written without spaces"):
        refuse_unspaced(Corpus("zh", ["银行没有回答我的问题"] * 3))


def test_text_without_spaces_is_found_wherever_it_is_in_a_file():
    chinese, english = ["银行没有回答我的问题"] * 250, ["The bank has not answered my question at all."] * 1000
    refuse_unspaced(Corpus("mixed", chinese + english))
    with pytest.raises(InputError, match="written without spaces"):
        refuse_unspaced(Corpus("mixed", english[:250] + chinese * 4))
