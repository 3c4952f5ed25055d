"""What stands beside guided inversion: the nearest text, and the one text that fits all."""

import numpy as np
import pytest

from vestige.attacks.fixed_text import FixedText
from vestige.attacks.nearest_text import NearestText
from vestige.errors import InputError

VECTORS = np.array([[2.0, 0.0], [0.0, 0.5], [1.0, 1.0]], dtype=np.float32)
TEXTS = ["east", "north", "north east"]


def test_nearest_is_by_angle_and_says_how_near():
    guesses = NearestText().fit(VECTORS, TEXTS).infer(np.array([[0.1, 3.0], [1.0, 0.9]], dtype=np.float32))
    assert guesses.texts == ["north", "north east"]
    assert guesses.trails[0][0].similarity == pytest.approx(3 / np.sqrt(9.01))
    assert guesses.trails[0][0].queries == 0


def test_the_fixed_text_is_the_one_with_most_in_common():
    texts = ["a b c d"] * 40 + ["x y z"] * 5 + ["q"] * 5
    guesses = FixedText().fit(texts, rng=np.random.default_rng(0)).infer(VECTORS)
    assert guesses.texts == ["a b c d"] * 3


def test_of_texts_with_the_same_words_the_fixed_text_has_the_usual_order():
    texts = ["a b c d"] * 60 + ["d c b a"] * 20
    assert FixedText().fit(texts, rng=np.random.default_rng(0)).text_ == "a b c d"


def test_neither_works_without_texts():
    with pytest.raises(InputError, match="fit needs at least 1"):
        NearestText().fit(VECTORS[:0], [])
    with pytest.raises(InputError, match="at least one"):
        FixedText().fit([], rng=np.random.default_rng(0))
