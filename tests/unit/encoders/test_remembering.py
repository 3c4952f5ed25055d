import numpy as np

from tests.conftest import WordSum
from vestige.encoders.metered import Metered
from vestige.encoders.remembering import Remembering


def test_a_text_is_asked_once_and_comes_back_as_it_was(encoder):
    metered = Metered(encoder)
    remembering = Remembering(metered)
    first = remembering.encode(["one", "two", "one"])
    again = remembering.encode(["three", "two"])
    assert metered.spent == 3
    assert encoder.calls == [2, 1]
    assert np.array_equal(first, WordSum().encode(["one", "two", "one"]))
    assert np.array_equal(again, WordSum().encode(["three", "two"]))
    assert remembering.dimension == encoder.dimension
    assert remembering.name == encoder.name
