"""Texts with a word changed or removed, and near copies of texts."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.perturbed import (
    PERTURBATIONS,
    change_word,
    remove_words,
    replace_words,
    strip_punctuation,
    substitute_words,
    truncate,
)
from vestige.text.words import words


def test_near_copies_by_hand():
    assert truncate("One two three, four five six seven eight nine ten.") == "One two three, four five six seven"
    assert truncate("Alone!") == "Alone"
    assert strip_punctuation("Don't pay, Mr. O'Brien: $1,000!") == "don't pay mr o'brien 1,000"
    assert PERTURBATIONS["word for word"]("As it is.", (), np.random.default_rng(0)) == "As it is."


def test_only_known_words_are_replaced():
    changed = replace_words("The bank lost the bank card.", 2, np.random.default_rng(0), str.upper, {"bank", "card"})
    assert words(changed) == ["the", "bank", "lost", "the", "bank", "card"]
    assert sum(word.isupper() for word in changed.split()) >= 1
    assert changed.startswith("The ")
    assert replace_words("No word of these.", 2, np.random.default_rng(0), str.upper, {"bank"}) == "No word of these."


@pytest.mark.parametrize("seed", range(8))
def test_exactly_one_content_word_becomes_another(seed):
    text = "The bank's café refused my payment."
    changed = change_word(text, ("payment", "letter"), np.random.default_rng(seed))
    different = [(old, new) for old, new in zip(words(text), words(changed), strict=True) if old != new]
    assert len(different) == 1
    assert different[0][0] in ("bank's", "café", "refused", "payment")
    assert different[0][1] in ("payment", "letter")


def test_a_text_in_decomposed_form_is_changed_too():
    text = "cafe\u0301"
    assert change_word(text, ("one", "two"), np.random.default_rng(0)) in ("one", "two")


TEXTS = ["The bank closed my account.", "No one at the bank would help me!", "..."]


def test_a_substitution_changes_one_word():
    made = substitute_words(TEXTS, pairs=50, rng=np.random.default_rng(0))
    assert len(made.original) == len(made.perturbed) == 50
    known = {word for text in TEXTS for word in words(text)}
    for original, changed in zip(made.original, made.perturbed, strict=True):
        assert original in TEXTS
        differing = [new for old, new in zip(words(original), words(changed), strict=True) if old != new]
        assert len(differing) == 1
        assert differing[0] in known


def test_a_removal_drops_the_most_frequent_words_one_by_one():
    text = "To be, or not to be: to sleep."
    made = remove_words([text], times=2, rng=np.random.default_rng(0))
    assert made.original == [text, text]
    assert made.perturbed == ["be, or not be: sleep.", ", or not: sleep."]


def test_a_removal_leaves_one_word():
    made = remove_words(["Stop it it", "alone"], times=5, rng=np.random.default_rng(0))
    assert made.perturbed == ["Stop"]


def test_the_same_seed_gives_the_same_texts():
    for change, many in ((substitute_words, {"pairs": 20}), (remove_words, {"documents": 2})):
        first, second = (change(TEXTS, **many, rng=np.random.default_rng(3)) for _ in range(2))
        assert first == second


def test_texts_without_enough_words_are_rejected():
    with pytest.raises(InputError, match="none of 1 texts has 1 different words"):
        substitute_words(["..."], rng=np.random.default_rng(0))
    with pytest.raises(InputError, match="1 texts have 1 different words; expected two or more to substitute"):
        substitute_words(["alone"], rng=np.random.default_rng(0))
    with pytest.raises(InputError, match="none of 1 texts has 2 different words"):
        remove_words(["alone"], rng=np.random.default_rng(0))
