import numpy as np

from vestige.encoders.unfinished import RefusedTexts, Stopped, Unfinished
from vestige.errors import InputError


def test_refused_texts_are_named_by_row_with_the_reason():
    error = RefusedTexts({3: "too long", 1: "too rude"}, {0: np.ones(2)})
    assert str(error) == "row 1: too rude; row 3: too long; remove these texts, or send shorter pieces"
    assert isinstance(error, InputError)


def test_renumbering_moves_refused_and_answered_rows():
    error = RefusedTexts({0: "too long"}, {1: np.ones(2)}).renumber([7, 5])
    assert error.refused == {7: "too long"}
    assert list(error.answered) == [5]


def test_a_stop_by_the_user_is_an_interrupt_that_carries_vectors():
    error = Stopped("stopped", {2: np.ones(2)})
    assert isinstance(error, KeyboardInterrupt)
    assert isinstance(error, Unfinished)
    assert list(error.answered) == [2]
