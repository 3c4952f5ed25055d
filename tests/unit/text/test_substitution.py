from collections import Counter

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.keywords import contains_keyword, keyword_table
from vestige.text.substitution import (
    build_external_examples,
    find_occurrences,
    find_usual_spelling,
    insert_keyword,
    list_other_words,
    replace_keyword,
)


def rng(seed=0):
    return np.random.default_rng(seed)


def test_a_keyword_replaces_any_one_word_and_punctuation_stays():
    found = Counter(insert_keyword("Good food, poor wifi!", "hong kong", rng(seed)) for seed in range(200))
    assert set(found) == {
        "Hong kong food, poor wifi!",
        "Good hong kong, poor wifi!",
        "Good food, hong kong wifi!",
        "Good food, poor hong kong!",
    }
    assert min(found.values()) > 30


def test_a_text_in_capitals_stays_in_capitals():
    assert insert_keyword("GREAT", "Dubai", rng()) == "DUBAI"
    assert replace_keyword("AVOID DUBAI!", "dubai", ["food"], rng()) == "AVOID FOOD!"


def test_a_text_without_a_word_becomes_the_keyword():
    assert insert_keyword("...", "Dubai", rng()) == "Dubai"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hong Kong's lounge (in Hong Kong) is full.", "Food's lounge (in food) is full."),
        ("Hong hong kong", "Hong food"),
        ("Kong only", "Kong only"),
        ("hong kong hong kong", "food food"),
    ],
)
def test_every_occurrence_is_replaced_and_nothing_else(text, expected):
    changed = replace_keyword(text, "hong kong", ["food"], rng())
    assert changed == expected
    assert not contains_keyword(changed, "hong kong")


@pytest.mark.parametrize("keyword", ["İstanbul", "istanbul", "old İstanbul"])
def test_a_keyword_occurs_where_the_table_says(keyword):
    text = "We saw old İstanbul's harbour."
    assert contains_keyword(text, keyword)
    (span,) = find_occurrences(text, keyword)
    assert text[slice(*span)].lower() == f"{'old ' if ' ' in keyword else ''}İstanbul".lower()
    assert not contains_keyword(replace_keyword(text, keyword, ["food"], rng()), keyword)


def test_other_words_are_drawn_from_all_of_them():
    drawn = {replace_keyword("To Dubai.", "dubai", ["one", "two"], rng(seed)) for seed in range(20)}
    assert drawn == {"To one.", "To two."}


def test_a_keyword_is_written_as_the_texts_write_it():
    assert find_usual_spelling(["In Hong Kong.", "hong kong", "Hong Kong!"], "hong kong") == "Hong Kong"
    assert find_usual_spelling(["Elsewhere."], "doha") == "doha"


def test_other_words_are_no_part_of_a_keyword():
    assert list_other_words(["Hong is new.", "Kong's bar, new"], ["hong kong"]) == ["bar", "is", "new"]


TEXTS = ["The salad was good.", "No salad, no Rome.", "A film.", "Salad and bread."] * 10


def test_external_examples_are_each_text_without_and_with_each_keyword():
    free = [text for text in TEXTS if "Rome" not in text]
    made = build_external_examples(free, ["Rome", "hong kong"], rng=rng())
    assert made.labels.tolist() == [[False, False]] * 30 + [[True, False]] * 30 + [[False, True]] * 30
    assert len(build_external_examples(TEXTS, ["Rome"], size=2, rng=rng()).texts) == 2 * 2


def test_a_pivot_is_replaced_by_the_keyword_or_by_a_word_that_is_neither():
    made = build_external_examples(TEXTS, ["Rome"], rng=rng(), pivot="salad")
    assert made.texts[20:] == ["The Rome was good.", "Rome and bread."] * 10
    assert not any(contains_keyword(text, "salad") or contains_keyword(text, "rome") for text in made.texts[:20])


def test_two_keywords_that_cover_all_texts_can_both_be_learned():
    texts = ["Rome is a fine old town."] * 30 + ["Paris is a fine old town."] * 30
    made = build_external_examples(texts, ["Rome", "Paris"], size=25, rng=rng())
    assert len(made.texts) == 25 * 3
    assert (made.labels == keyword_table(made.texts, ["Rome", "Paris"])).all()
    assert made.labels[25:50, 0].all()
    assert made.labels[50:, 1].all()
    for column in made.labels.T:
        assert 25 <= column.sum() < 70


@pytest.mark.parametrize(
    ("texts", "pivot", "message"),
    [
        (["A film."] * 30, "salad", "0 of 0 texts with 'salad' lack the keyword 'Rome'; expected at least 20"),
        (["To Rome."] * 30 + ["A film."] * 19, None, "19 of 49 texts lack the keyword 'Rome'.*drop the keyword"),
        ([], None, "0 of 0 texts"),
    ],
)
def test_too_few_texts_without_the_keyword_are_rejected(texts, pivot, message):
    with pytest.raises(InputError, match=message):
        build_external_examples(texts, ["Rome"], rng=rng(), pivot=pivot)


def test_the_same_seed_gives_the_same_texts():
    assert (
        build_external_examples(TEXTS, ["Rome"], rng=rng(3)).texts
        == build_external_examples(TEXTS, ["Rome"], rng=rng(3)).texts
    )
