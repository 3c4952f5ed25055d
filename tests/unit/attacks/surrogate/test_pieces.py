import numpy as np
import pytest
import torch
from scipy.spatial.transform import Rotation

from vestige.attacks.surrogate.adversarial import by_adversary, told_apart
from vestige.attacks.surrogate.alignment import as_wide, matched_groups, padded_procrustes
from vestige.attacks.surrogate.carrying import by_kernel, by_ridge, missed_alone
from vestige.attacks.surrogate.retrieval import presence
from vestige.attacks.surrogate.selection import SELECTIONS, by_coverage, nearest_to
from vestige.attacks.surrogate.whitening import FLOOR, Spread
from vestige.attacks.surrogate.word_targets import worth
from vestige.nn.listnet import listnet
from vestige.types import silent

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
    np.testing.assert_allclose(padded_procrustes(vectors[:20], vectors @ turn), (vectors @ turn)[:20], atol=1e-5)
    shuffled = padded_procrustes(vectors, RNG.permutation(vectors @ turn))
    assert np.abs(shuffled - vectors @ turn).max() > 0.5


def grouped(rng, middles, sizes):
    """Documents around the middles of their groups, each group of another size; no two encoders see the same ones."""
    groups = rng.permutation(np.repeat(np.arange(len(middles)), sizes))
    return groups, (middles[groups] + 0.05 * rng.standard_normal((len(groups), 16))).astype(np.float32)


def test_groups_are_matched_without_pairs_where_the_map_as_written_pairs_strangers():
    rng = np.random.default_rng(2)
    middles = rng.standard_normal((8, 16))
    turn = np.linalg.qr(rng.standard_normal((16, 16)))[0]
    own, vectors = grouped(rng, middles, 12)
    theirs, private = grouped(rng, middles @ turn, 15)

    def right(carried):
        return (theirs[(carried @ private.T).argmax(axis=1)] == own).mean()

    assert right(matched_groups(vectors, private, np.random.default_rng(0))) > 0.95
    assert right(padded_procrustes(vectors, private)) < 0.5


def test_zero_columns_change_no_cosine():
    wide, same = as_wide(TARGETS, POOL)
    assert wide.shape == (55, 6)
    assert same is not wide
    np.testing.assert_array_equal(wide @ wide.T, TARGETS @ TARGETS.T)


def test_each_centre_takes_the_nearest_document_that_is_left():
    pool = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]], np.float32)
    assert nearest_to(np.array([[1, 0], [1, 0], [0, 1]], np.float32), pool, 3).tolist() == [0, 1, 2]
    assert nearest_to(np.array([[0, 1]], np.float32), pool, 2).tolist() == [2, 3]


def test_coverage_leaves_no_group_out():
    middles = np.eye(8, dtype=np.float32)
    groups = np.repeat(np.arange(8), [30, 2, 2, 2, 2, 2, 2, 2])
    pool = middles[groups] + 0.01 * RNG.standard_normal((44, 8)).astype(np.float32)
    assert set(groups[by_coverage(pool, pool, 8, 8, np.random.default_rng(0))]) == set(range(8))


def test_fewer_clusters_choose_documents_that_are_more_alike():
    def cosine(clusters):
        chosen = POOL[by_coverage(POOL, TARGETS, 12, clusters, np.random.default_rng(0))]
        units = chosen / np.linalg.norm(chosen, axis=1, keepdims=True)
        return (units @ units.T)[~np.eye(12, dtype=bool)].mean()

    assert cosine(1) > cosine(12) + 0.2


@pytest.mark.parametrize("shape", [(40, 6), (5, 9), (1, 4)])
@pytest.mark.parametrize("whitening", [0.0, 0.5, 1.0])
def test_whitening_is_that_of_the_covariance_however_few_the_vectors(shape, whitening):
    """Against all axes of the covariance, each no shorter than a share of the mean."""
    seen = RNG.standard_normal(shape) @ np.diag(np.arange(1, shape[1] + 1))
    lengths, axes = np.linalg.eigh(np.cov(seen.T, bias=True))
    raised = np.maximum(np.maximum(lengths, 0) + FLOOR * lengths.mean(), 1e-12)
    wanted = (axes * raised ** (-whitening / 2)) @ axes.T
    np.testing.assert_allclose(Spread.of(seen).axes(whitening), wanted, rtol=1e-6, atol=1e-9 * np.abs(wanted).max())


def test_the_classifier_of_encoders_brings_a_cloud_that_lies_elsewhere_nearer():
    """Equation 4.8: of another width, and apart by 0.1 in every column; nothing is taken from pairs."""
    rng = np.random.default_rng(3)
    own, answers = (0.3 * rng.standard_normal((200, width)).astype(np.float32) for width in (5, 8))
    answers += np.float32(0.1)
    carried = by_adversary(own, answers, 600, rng, silent)(own)
    before = np.linalg.norm(np.pad(own, ((0, 0), (0, 3))).mean(axis=0) - answers.mean(axis=0))
    assert np.linalg.norm(carried.mean(axis=0) - answers.mean(axis=0)) < 0.6 * before


def test_presence_by_hand():
    scores, weights = torch.tensor([[0.0, np.log(3.0)]]), torch.tensor([[0.0, 0.2]])
    assert float(presence(scores, weights)) == pytest.approx(-(np.log(0.5) + np.log(0.75)) / 2, rel=1e-6)


def test_told_apart_by_hand():
    """Scores as they are given: the ones are to be above 0, the others below."""
    ones, others = torch.tensor([[np.log(3.0)]]), torch.tensor([[0.0]])
    expected = -np.log(0.75) - np.log(0.5)
    assert float(told_apart(torch.nn.Identity(), ones, others)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("carried", [by_kernel, by_ridge])
def test_a_smooth_map_is_learned_from_pairs_and_not_from_shuffled_ones(carried):
    known, fresh = (RNG.standard_normal((n, 3)).astype(np.float32) for n in (200, 50))
    matrix = RNG.standard_normal((3, 5)).astype(np.float32)
    missed = np.square(carried(known, known @ matrix)(fresh) - fresh @ matrix).mean()
    assert missed < 0.2 * np.square(fresh @ matrix).mean()
    control = carried(known, RNG.permutation(known @ matrix))(fresh)
    assert np.square(control - fresh @ matrix).mean() > 0.8 * np.square(fresh @ matrix).mean()


def test_leaving_one_out_in_closed_form_is_leaving_one_out():
    known = RNG.standard_normal((12, 2))
    answers = RNG.standard_normal((12, 1))
    near = np.exp(-np.square(known[:, None] - known).sum(axis=2)) + 0.1 * np.eye(12)
    inverse = np.linalg.inv(near)
    left = np.arange(12) != 4
    dual = np.linalg.solve(near[np.ix_(left, left)], answers[left])
    missed = answers[4] - near[4, left] @ dual
    assert missed_alone(inverse @ answers, np.diag(inverse))[4] == pytest.approx(missed)


def test_listnet_by_hand():
    scores, weights = torch.tensor([[0.0, np.log(3.0)]]), torch.tensor([[np.log(1.0), np.log(4.0)]])
    expected = -(0.2 * np.log(0.25) + 0.8 * np.log(0.75))
    assert float(listnet(scores, weights)) == pytest.approx(expected, rel=1e-6)


def test_what_a_ranking_is_worth_by_hand():
    truth = np.array([[0.0, 0.5, 0.0, 1.0, 0.0, 0.0]])
    scores = np.array([[0.1, 0.9, 0.2, 0.8, 0.3, 0.0]])
    second = 1 / np.log2(3)
    assert worth(scores, truth) == pytest.approx(2 / 5 + (0.5 + second) / (1 + 0.5 * second))
