"""Vectors of known texts in place of an encoder."""

import numpy as np
import pytest

from vestige.encoders.known import KnownTexts
from vestige.errors import InputError

VECTORS = np.arange(8, dtype=np.float32).reshape(4, 2)


def test_known_texts_have_the_vector_they_were_first_found_with():
    known = KnownTexts(["a", "b", "a", "c"], VECTORS)
    assert known.dimension == 2
    assert known.encode(["c", "a", "a"]).tolist() == [[6, 7], [0, 1], [0, 1]]


def test_a_text_without_a_vector_is_refused_and_not_shown():
    with pytest.raises(InputError, match="a text of 6 letters has no vector") as told:
        KnownTexts(["a", "b", "a", "c"], VECTORS).encode(["a", "secret"])
    assert "secret" not in str(told.value)


def test_other_vectors_are_another_encoder():
    assert KnownTexts(["a"], VECTORS[:1]).identity != KnownTexts(["a"], VECTORS[1:2]).identity
