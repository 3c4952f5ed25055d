import numpy as np

from tests.conftest import WordSum
from vestige.encoders.memoized import DeferredEncoder, Memoized
from vestige.encoders.metered import Metered


def test_a_text_is_encoded_once_and_its_vector_returned_unchanged(encoder):
    metered = Metered(encoder)
    memoized = Memoized(metered)
    first = memoized.encode(["one", "two", "one"])
    again = memoized.encode(["three", "two"])
    assert metered.spent == 3
    assert encoder.calls == [2, 1]
    assert np.array_equal(first, WordSum().encode(["one", "two", "one"]))
    assert np.array_equal(again, WordSum().encode(["three", "two"]))
    assert memoized.dimension == encoder.dimension
    assert memoized.name == encoder.name


def test_no_texts_give_no_rows(encoder):
    assert Memoized(encoder).encode([]).shape == (0, encoder.dimension)


def test_a_deferred_encoder_is_chosen_at_the_first_text():
    chosen = []

    def choose():
        chosen.append(1)
        return WordSum()

    encoder = DeferredEncoder(WordSum(), choose)
    assert encoder.dimension == WordSum().dimension
    assert chosen == []
    assert (encoder.encode(["one"]) == WordSum().encode(["one"])).all()
    encoder.encode(["two"])
    assert chosen == [1]
