"""Table IV, once, at a size for tests."""

import numpy as np
import pytest

from tests.unit.papers.measuring import reproduce
from vestige.papers.pan2020.table4 import relative_moves


def test_sensitivity_has_a_row_a_model_and_the_distances_in_words(cached_run):
    record = reproduce("pan2020", "table4", cached_run)
    found = {row.model: row for row in record.rows if row.lines}
    assert set(found) == {"Bert", "potion"}
    for row in found.values():
        largest, mean = row.lines[0].scores
        assert 1 >= largest.value >= mean.high >= mean.value > 0
        assert largest.n == 20
    assert found["Bert"].samples[0].endswith("here, 81.82 in the paper")
    assert found["potion"].samples[0].endswith("here, not in the paper")


def test_moves_by_hand():
    # From (3, 0) to (0, 1) are 4 of 4; from (2, 2) to (2, 0) are 2 of 6; from a vector to itself, none.
    original, other = np.array([[3, 0], [2, 2], [1, -1]]), np.array([[0, 1], [2, 0], [1, -1]])
    assert relative_moves(original, other).tolist() == pytest.approx([1, 1 / 3, 0])
