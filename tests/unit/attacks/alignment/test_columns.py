"""Columns in a secret order with secret signs."""

import numpy as np

from tests.unit.attacks.alignment.test_align import OWN, TRUE
from vestige.attacks.alignment.columns import assign_columns, compare_columns, match_columns

ORDER, SIGNS = np.random.default_rng(1).permutation(24), np.where(np.arange(24) % 2, 1, -1)


def test_columns_are_matched_by_their_distributions():
    matrix = match_columns(TRUE[:, ORDER] * SIGNS, OWN)
    np.testing.assert_array_equal(matrix[np.arange(24), ORDER], SIGNS)


def test_three_pairs_are_enough_to_match_columns():
    matrix = assign_columns(compare_columns(TRUE[:3, ORDER] * SIGNS, TRUE[:3]))
    np.testing.assert_array_equal(matrix[np.arange(24), ORDER], SIGNS)


def test_an_assignment_by_hand():
    """The strongest agreements are 3 and -2, on the diagonal that crosses."""
    matrix = assign_columns(np.array([[1.0, 3.0], [-2.0, 1.0]]))
    np.testing.assert_array_equal(matrix, [[0, 1], [-1, 0]])
