"""A table of texts and vectors in place of an encoder."""

import numpy as np
import pytest

from vestige.encoders.lookup import LookupEncoder
from vestige.errors import InputError

VECTORS = np.arange(8, dtype=np.float32).reshape(4, 2)


def test_a_repeated_text_has_its_first_vector():
    lookup = LookupEncoder(["a", "b", "a", "c"], VECTORS)
    assert lookup.dimension == 2
    assert lookup.encode(["c", "a", "a"]).tolist() == [[6, 7], [0, 1], [0, 1]]


def test_a_text_without_a_vector_is_refused_and_not_shown():
    with pytest.raises(InputError, match="a text of 6 letters has no vector") as caught:
        LookupEncoder(["a", "b", "a", "c"], VECTORS).encode(["a", "secret"])
    assert "secret" not in str(caught.value)


def test_other_vectors_are_another_encoder():
    assert LookupEncoder(["a"], VECTORS[:1]).identity != LookupEncoder(["a"], VECTORS[1:2]).identity
