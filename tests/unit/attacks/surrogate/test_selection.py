import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from vestige.attacks.surrogate.selection import (
    SELECTIONS,
    align_groups,
    align_procrustes,
    match_width,
    select_by_coverage,
    take_nearest,
)

RNG = np.random.default_rng(0)

POOL = RNG.standard_normal((40, 6)).astype(np.float32)


TARGETS = RNG.standard_normal((55, 4)).astype(np.float32)


@pytest.mark.parametrize("name", SELECTIONS)
@pytest.mark.parametrize("budget", [1, 12, 40])
def test_a_selection_names_as_many_documents_as_it_may_each_once(name, budget):
    rows = SELECTIONS[name](POOL, TARGETS, budget, budget, np.random.default_rng(1)).tolist()
    assert len(rows) == len(set(rows)) == budget
    assert set(rows) <= set(range(40))
    assert rows == SELECTIONS[name](POOL, TARGETS, budget, budget, np.random.default_rng(1)).tolist()


def test_the_map_as_written_finds_a_rotation_where_rows_are_pairs_and_only_there():
    turn = Rotation.from_euler("xyz", [0.4, 1.0, -0.3]).as_matrix().astype(np.float32)
    vectors = RNG.standard_normal((30, 3)).astype(np.float32)
    np.testing.assert_allclose(align_procrustes(vectors[:20], vectors @ turn), (vectors @ turn)[:20], atol=1e-5)
    shuffled = align_procrustes(vectors, RNG.permutation(vectors @ turn))
    assert np.abs(shuffled - vectors @ turn).max() > 0.5


def grouped(rng, middles, sizes):
    """Documents around the middles of their groups, each group of another size; no two encoders see the same ones."""
    groups = rng.permutation(np.repeat(np.arange(len(middles)), sizes))
    return groups, (middles[groups] + 0.05 * rng.standard_normal((len(groups), 16))).astype(np.float32)


def test_groups_are_matched_without_pairs_where_the_map_as_written_pairs_unrelated_rows():
    rng = np.random.default_rng(2)
    middles = rng.standard_normal((8, 16))
    turn = np.linalg.qr(rng.standard_normal((16, 16)))[0]
    own, vectors = grouped(rng, middles, 12)
    theirs, private = grouped(rng, middles @ turn, 15)

    def right(carried):
        return (theirs[(carried @ private.T).argmax(axis=1)] == own).mean()

    assert right(align_groups(vectors, private, np.random.default_rng(0))) > 0.95
    assert right(align_procrustes(vectors, private)) < 0.5


def test_zero_columns_change_no_cosine():
    wide, same = match_width(TARGETS, POOL)
    assert wide.shape == (55, 6)
    assert same is not wide
    np.testing.assert_array_equal(wide @ wide.T, TARGETS @ TARGETS.T)


def test_each_centre_takes_the_nearest_document_that_is_left():
    pool = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]], np.float32)
    assert take_nearest(np.array([[1, 0], [1, 0], [0, 1]], np.float32), pool, 3).tolist() == [0, 1, 2]
    assert take_nearest(np.array([[0, 1]], np.float32), pool, 2).tolist() == [2, 3]


def test_coverage_leaves_no_group_out():
    middles = np.eye(8, dtype=np.float32)
    groups = np.repeat(np.arange(8), [30, 2, 2, 2, 2, 2, 2, 2])
    pool = middles[groups] + 0.01 * RNG.standard_normal((44, 8)).astype(np.float32)
    assert set(groups[select_by_coverage(pool, pool, 8, 8, np.random.default_rng(0))]) == set(range(8))


def test_fewer_clusters_choose_documents_that_are_more_alike():
    def cosine(clusters):
        chosen = POOL[select_by_coverage(POOL, TARGETS, 12, clusters, np.random.default_rng(0))]
        units = chosen / np.linalg.norm(chosen, axis=1, keepdims=True)
        return (units @ units.T)[~np.eye(12, dtype=bool)].mean()

    assert cosine(1) > cosine(12) + 0.2
