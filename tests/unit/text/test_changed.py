import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.changed import removed, substituted
from vestige.text.words import words

TEXTS = ["The bank closed my account.", "No one at the bank would help me!", "..."]


def test_a_substitution_changes_one_word():
    made = substituted(TEXTS, pairs=50, rng=np.random.default_rng(0))
    assert len(made.original) == len(made.changed) == 50
    known = {word for text in TEXTS for word in words(text)}
    for original, changed in zip(made.original, made.changed, strict=True):
        assert original in TEXTS
        differing = [new for old, new in zip(words(original), words(changed), strict=True) if old != new]
        assert len(differing) == 1
        assert differing[0] in known


def test_a_removal_takes_the_most_frequent_words_one_after_another():
    text = "To be, or not to be: to sleep."
    made = removed([text], times=2, rng=np.random.default_rng(0))
    assert made.original == [text, text]
    assert made.changed == ["be, or not be: sleep.", ", or not: sleep."]


def test_a_removal_leaves_a_word():
    made = removed(["Stop it it", "alone"], times=5, rng=np.random.default_rng(0))
    assert made.changed == ["Stop"]


def test_the_same_seed_gives_the_same_texts():
    for change, many in ((substituted, {"pairs": 20}), (removed, {"documents": 2})):
        first, second = (change(TEXTS, **many, rng=np.random.default_rng(3)) for _ in range(2))
        assert first == second


def test_texts_that_cannot_be_changed_are_named():
    with pytest.raises(InputError, match="none of 1 texts has 1 different words"):
        substituted(["..."], rng=np.random.default_rng(0))
    with pytest.raises(InputError, match="1 texts have 1 different words; expected two or more to substitute"):
        substituted(["alone"], rng=np.random.default_rng(0))
    with pytest.raises(InputError, match="none of 1 texts has 2 different words"):
        removed(["alone"], rng=np.random.default_rng(0))
