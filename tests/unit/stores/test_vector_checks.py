"""Vectors that cannot be audited are refused, and their rows named."""

import numpy as np
import pytest

from vestige.errors import InputError, UnusableRows
from vestige.stores.vector_checks import as_checked_vectors, check_embeddings, check_finite, check_matrix


def test_any_real_numbers_become_float32():
    vectors = as_checked_vectors([[1, 2], [3, 4]], "here")
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ([[1.0], [1.0, 2.0]], "here has rows of different lengths"),
        ([1.0, 2.0], r"has shape \(2,\); expected rows and columns"),
        (np.zeros((0, 3)), "is empty; expected at least one vector"),
        ([["a"]], "expected numbers"),
        ([[1j]], "holds complex128; expected numbers"),
        ([[1.0, 2], [1, 2]], "has 2 equal rows"),
        ([[1.0, 2], [0, 0]], "nothing but zeros in 1 of 2 rows, first in row 1"),
        ([[1e13, 2]], r"values beyond 1e\+12"),
    ],
)
def test_what_no_encoder_produces_is_refused(raw, message):
    with pytest.raises(InputError, match=message):
        as_checked_vectors(raw, "here")


def test_the_rows_of_a_sample_are_named_by_their_ids():
    vectors = np.array([[1, 2], [np.nan, 1], [3, 4]], np.float32)
    with pytest.raises(UnusableRows, match="1 of 3 rows read, first in row b7"):
        check_finite(vectors, "here", ["a1", "b7", "c9"])
    check_finite(vectors[[0, 2]], "here")
    check_embeddings(vectors[[0, 2]], "here")
    check_matrix(vectors, "here")


def test_far_too_many_columns_are_refused():
    check_matrix(np.broadcast_to(np.float32(0), (1, 2**20)), "here")
    with pytest.raises(InputError, match=r"shape \(1, 1000000000\); expected at most 1,048,576 columns"):
        check_matrix(np.broadcast_to(np.float32(0), (1, 10**9)), "here")
