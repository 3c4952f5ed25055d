from collections import Counter

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.keywords import holds
from vestige.text.substitution import external_examples, other_words, put_in, take_out, usual_spelling


def rng(seed=0):
    return np.random.default_rng(seed)


def test_a_keyword_takes_the_place_of_any_one_word_and_punctuation_stays():
    found = Counter(put_in("Good food, poor wifi!", "hong kong", rng(seed)) for seed in range(200))
    assert set(found) == {
        "Hong kong food, poor wifi!",
        "Good hong kong, poor wifi!",
        "Good food, hong kong wifi!",
        "Good food, poor hong kong!",
    }
    assert min(found.values()) > 30


def test_a_text_in_capitals_stays_in_capitals():
    assert put_in("GREAT", "Dubai", rng()) == "DUBAI"
    assert take_out("AVOID DUBAI!", "dubai", ["food"], rng()) == "AVOID FOOD!"


def test_a_text_without_a_word_becomes_the_keyword():
    assert put_in("...", "Dubai", rng()) == "Dubai"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hong Kong's lounge (in Hong Kong) is full.", "Food's lounge (in food) is full."),
        ("Hong hong kong", "Hong food"),
        ("Kong only", "Kong only"),
        ("hong kong hong kong", "food food"),
    ],
)
def test_every_occurrence_is_taken_out_and_nothing_else(text, expected):
    changed = take_out(text, "hong kong", ["food"], rng())
    assert changed == expected
    assert not holds(changed, "hong kong")


def test_other_words_are_drawn_from_all_of_them():
    drawn = {take_out("To Dubai.", "dubai", ["one", "two"], rng(seed)) for seed in range(20)}
    assert drawn == {"To one.", "To two."}


def test_a_keyword_is_written_as_the_texts_write_it():
    assert usual_spelling(["In Hong Kong.", "hong kong", "Hong Kong!"], "hong kong") == "Hong Kong"
    assert usual_spelling(["Elsewhere."], "doha") == "doha"


def test_other_words_are_no_part_of_a_keyword():
    assert other_words(["Hong is new.", "Kong's bar, new"], ["hong kong"]) == ["bar", "is", "new"]


TEXTS = ["The salad was good.", "No salad, no Rome.", "A film.", "Salad and bread."]


def test_external_examples_are_each_text_without_and_with_each_keyword():
    made = external_examples(TEXTS, ["Rome", "hong kong"], rng=rng())
    assert len(made.texts) == 3 * 3
    assert made.labels.tolist() == [[False, False]] * 3 + [[True, False]] * 3 + [[False, True]] * 3
    assert len(external_examples(TEXTS, ["Rome"], size=2, rng=rng()).texts) == 2 * 2


def test_a_pivot_gives_way_to_the_keywords_and_to_nothing_that_was_one():
    made = external_examples(TEXTS, ["Rome"], rng=rng(), pivot="salad")
    assert made.texts[2:] == ["The Rome was good.", "Rome and bread."]
    assert not any(holds(text, "salad") or holds(text, "rome") for text in made.texts[:2])


def test_texts_that_all_hold_a_keyword_give_no_examples():
    with pytest.raises(InputError, match="none of 1 texts is free of the keywords and holds 'salad'"):
        external_examples(["A film."], ["Rome"], rng=rng(), pivot="salad")


def test_the_same_seed_gives_the_same_texts():
    assert external_examples(TEXTS, ["Rome"], rng=rng(3)).texts == external_examples(TEXTS, ["Rome"], rng=rng(3)).texts
