import numpy as np
import pytest

from vestige.text.variants import VARIANTS, cut_short, replaced, without_marks, word_changed
from vestige.text.words import words


def test_variants_by_hand():
    assert cut_short("One two three, four five six seven eight nine ten.") == "One two three, four five six seven"
    assert cut_short("Alone!") == "Alone"
    assert without_marks("Don't pay, Mr. O'Brien: $1,000!") == "don't pay mr o'brien 1,000"
    assert VARIANTS["word for word"]("As it is.", (), np.random.default_rng(0)) == "As it is."


def test_known_words_alone_are_replaced():
    changed = replaced("The bank lost the bank card.", 2, np.random.default_rng(0), str.upper, {"bank", "card"})
    assert words(changed) == ["the", "bank", "lost", "the", "bank", "card"]
    assert sum(word.isupper() for word in changed.split()) >= 1
    assert changed.startswith("The ")
    assert replaced("No word of these.", 2, np.random.default_rng(0), str.upper, {"bank"}) == "No word of these."


@pytest.mark.parametrize("seed", range(8))
def test_exactly_one_content_word_becomes_another(seed):
    text = "The bank's café refused my payment."
    changed = word_changed(text, ("payment", "letter"), np.random.default_rng(seed))
    different = [(old, new) for old, new in zip(words(text), words(changed), strict=True) if old != new]
    assert len(different) == 1
    assert different[0][0] in ("bank's", "café", "refused", "payment")
    assert different[0][1] in ("payment", "letter")


def test_a_text_in_decomposed_letters_is_changed_too():
    text = "cafe\u0301"
    assert word_changed(text, ("one", "two"), np.random.default_rng(0)) in ("one", "two")
