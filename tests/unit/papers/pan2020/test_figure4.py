"""Figure 4, once, at a size for tests; and boundaries whose angle is known."""

import numpy as np
import pytest

from tests.unit.papers.measuring import reproduce
from vestige.papers.pan2020.figure4 import Plane
from vestige.papers.record import PAPER, PRIOR


def test_a_keyword_is_separated_in_either_domain(cached_run):
    record = reproduce("pan2020", "figure4", cached_run)
    row = next(row for row in record.rows if row.lines)
    assert [line.by for line in row.lines] == [PAPER, PRIOR]
    assert all(0 <= score.value <= 1 for score in row.lines[0].scores)
    assert row.lines[0].logs
    assert [score and score.value for score in row.lines[1].scores] == [0.5, 0.5, 0.5, None]


@pytest.fixture
def square():
    """Points in the plane, and which are on the right, or at the top."""
    places = np.random.default_rng(0).uniform(-1, 1, (400, 2))
    return places, places[:, 0] > 0, places[:, 1] > 0


def test_boundaries_at_right_angles_are_unlike_and_parallel_ones_alike(square):
    places, right, top = square
    plane = Plane(places, places)
    assert plane.compare(right, right) == pytest.approx(1)
    assert plane.compare(right, ~right) == pytest.approx(1)
    assert plane.compare(right, top) < 0.15


def test_a_boundary_of_their_own_is_learned_from_other_documents(square):
    places, right, _ = square
    documents = [str(row // 4) for row in range(len(places))]
    found = Plane(places, places).separate(places, right, documents)
    assert ((found > 0.5) == right).mean() > 0.95
    shuffled = np.random.default_rng(1).permutation(right)
    assert ((Plane(places, places).separate(places, shuffled, documents) > 0.5) == shuffled).mean() < 0.6
