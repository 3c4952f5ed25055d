"""Maps of texts by t-SNE."""

import numpy as np
import pytest

from tests.unit.papers.measuring import reproduce
from vestige.papers.coro2022.figure4_1 import draw_map, share_same_class
from vestige.papers.record import PAPER, PRIOR


def test_the_share_of_neighbours_with_the_same_class():
    table = np.array([[0.0], [1.0], [2.0], [10.0]])
    # Three neighbours of each row are all the others.
    assert share_same_class(table, ["a", "a", "b", "b"]) == pytest.approx([1 / 3] * 4)


def test_a_map_keeps_clusters_apart_and_is_the_same_for_a_seed():
    rng = np.random.default_rng(0)
    vectors = np.concatenate([rng.normal(center, 0.1, (20, 5)) for center in (0, 5)]).astype(np.float32)
    drawn = draw_map(vectors, 3)
    assert drawn.shape == (40, 2)
    assert share_same_class(drawn, ["a"] * 20 + ["b"] * 20).mean() > 0.95
    assert np.array_equal(drawn, draw_map(vectors, 3))


def test_every_representation_has_a_row(coro_run):
    record = reproduce("coro2022", "figure4.1", coro_run)
    assert [row.model for row in record.rows] == ["Reduced hashing", "Doc2Vec", "Sentence-BERT"]
    assert all([line.by for line in row.lines] == [PAPER, PRIOR] for row in record.rows)
