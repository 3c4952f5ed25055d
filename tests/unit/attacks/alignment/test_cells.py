"""A key per cluster, undone without pairs."""

import numpy as np
import pytest

from tests.unit.attacks.alignment.test_align import cosine, draw_cloud
from vestige.attacks.alignment.align import align
from vestige.attacks.alignment.cells import align_cells, describe_cell, find_nearest
from vestige.defenses.catalogue import make_defense
from vestige.defenses.rotation import draw_rotation


def draw_apart(rows, seed):
    """Two groups far from each other, each a cloud without symmetry."""
    near, far = draw_cloud(rows, seed), 0.5 * draw_cloud(rows, seed + 10)[:, ::-1]
    shift = np.zeros(24, np.float32)
    shift[0] = 12
    return np.concatenate([near, far + shift])


def test_a_description_does_not_change_under_a_rotation():
    rows = draw_cloud(200, 0)
    turned = rows @ draw_rotation(24, np.random.default_rng(1))
    np.testing.assert_allclose(describe_cell(rows, 400), describe_cell(turned, 400), rtol=1e-4, atol=1e-4)


def test_the_nearest_centre_by_hand():
    centres = np.array([[0, 0], [3, 0]], np.float32)
    assert find_nearest(np.array([[1, 5], [2, 0]], np.float32), centres).tolist() == [0, 1]


@pytest.mark.slow
def test_cells_are_aligned_one_by_one_where_one_rotation_does_not_fit():
    own, true = draw_apart(500, 0), draw_apart(500, 1)
    stolen = make_defense("cells:2").fit(true, rng=np.random.default_rng(4)).transform(true)
    found = align_cells(stolen, own, 2, rng=np.random.default_rng(0))
    whole = align(stolen, own, rng=np.random.default_rng(0))
    parts = [slice(500), slice(500, None)]  # Within each group: how far the groups are apart says nothing.
    assert min(cosine(found(stolen[rows]), true[rows]) for rows in parts) > 0.9
    assert min(cosine(whole(stolen[rows]), true[rows]) for rows in parts) < 0.8
    assert len(found.scores) == 2
