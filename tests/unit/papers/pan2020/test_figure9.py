"""Figure 9, at a size for tests; and neighbours that are known."""

import numpy as np
import pytest

from tests.unit.papers.measuring import reproduce, skipped_notes
from vestige.papers.pan2020.figure9 import find_nearest


def test_encoders_of_one_dimension_are_compared(cached_run):
    record = reproduce("pan2020", "figure9", cached_run)
    rows = [row for row in record.rows if row.lines]
    alone = [note for note in skipped_notes(record).values() if "no other encoder here has" in note]
    assert rows or alone
    for row in rows:
        nearest, guessing = row.lines
        assert nearest.logs[0].steps > 0
        assert guessing.scores[0].value == pytest.approx(0.5)


def test_the_nearest_is_of_another_sentence():
    places = np.array([[0.0], [0.1], [1.0], [1.3]])
    sentences = np.array([0, 0, 1, 1])
    assert find_nearest(places, sentences).tolist() == [2, 2, 1, 1]
