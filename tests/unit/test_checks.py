"""Settings and vectors are checked with uniform messages."""

import numpy as np
import pytest
from scipy import sparse

from vestige.checks import as_vectors, check_above, check_choice, check_count
from vestige.errors import InputError


def test_a_choice_is_one_of_the_allowed_values():
    check_choice("norm", "l2", ["l1", "l2"])
    with pytest.raises(InputError, match=r"The 'norm' parameter must be 'l1' or 'l2'\. Got 'l3' instead\."):
        check_choice("norm", "l3", ["l1", "l2"])


@pytest.mark.parametrize("value", [0, -1, 3, float("nan"), float("inf"), "2", None])
def test_a_number_outside_its_bounds_is_rejected(value):
    check_above("rate", 2.0, 0, 2)
    with pytest.raises(InputError, match=r"The 'rate' parameter must be a number above 0 and at most 2\. Got"):
        check_above("rate", value, 0, 2)


@pytest.mark.parametrize("value", [0, 4, 1.0, True, "2", None])
def test_a_count_outside_its_bounds_is_rejected(value):
    check_count("k", 3, 1, 3)
    check_count("k", 10**9, 1)
    with pytest.raises(InputError, match=r"The 'k' parameter must be a whole number, at least 1 and at most 3\. Got"):
        check_count("k", value, 1, 3)


def test_numbers_become_float32_vectors():
    vectors = as_vectors([[1, 2], [3, 4]], 2)
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[1, 2], [3, 4]]
    assert as_vectors(vectors) is vectors


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1.0, 2.0], r"the vectors have shape \(2,\); expected a table"),
        (np.empty((3, 0)), r"the vectors have shape \(3, 0\); expected a table"),
        ([[1.0], [1.0, 2.0]], "not a table of numbers: .*; expected one row per text, all of the same length"),
        ([["a", "b"]], "not a table of numbers but of <U1"),
        ([[1.0, 2.0, 3.0]], "the vectors have 3 columns, and fit was given 2 columns"),
        ([[0.0, 0.0], [0.0, np.nan], [np.inf, 0.0]], "2 of 3 vectors hold NaN or infinity, the first in row 11"),
        ([[1e300, 0.0]], "1 of 1 vectors hold NaN or infinity"),
    ],
)
def test_vectors_that_cannot_be_used_are_rejected(table, message):
    with pytest.raises(InputError, match=message):
        as_vectors(table, 2, start=10)


def test_a_sparse_table_is_refused_with_a_remedy():
    with pytest.raises(InputError, match=r"are a sparse table, .* takes a dense one; reduce them"):
        as_vectors(sparse.csr_array(np.eye(3)))
