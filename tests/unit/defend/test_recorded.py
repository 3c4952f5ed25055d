"""A defense that is known by its output alone."""

import numpy as np
import pytest

from vestige.defend.recorded import RecordedMap
from vestige.errors import InputError

RAW = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
PROTECTED = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], np.float32)


def test_rows_are_looked_up_and_repeated_ones_taken_in_turn():
    found = RecordedMap(RAW, PROTECTED)
    np.testing.assert_array_equal(found.transform(RAW[[1, 0, 2]]), PROTECTED[[1, 0, 2]])
    np.testing.assert_array_equal(found.transform(RAW[[2, 1]]), PROTECTED[[0, 1]])


def test_queries_have_a_table_of_their_own():
    assert np.array_equal(RecordedMap(RAW, PROTECTED).transform_queries(RAW[:1]), PROTECTED[:1])
    assert np.array_equal(RecordedMap(RAW, PROTECTED, -PROTECTED).transform_queries(RAW[1:2]), -PROTECTED[1:2])


def test_a_row_that_is_not_in_the_table_is_refused():
    with pytest.raises(InputError, match="no protected counterpart"):
        RecordedMap(RAW, PROTECTED).transform(RAW + 1)
