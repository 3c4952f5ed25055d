"""The bound never exceeds what any exchange of neighbours leaves."""

from collections import Counter

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.utility.neighbour_bound import (
    count_votes,
    find_neighbours,
    list_recall,
    vote_curve,
    vote_hits,
    word_curve,
    worst_mean,
)


def test_the_nearest_rows_by_cosine_and_what_is_left_of_them():
    table = np.array([[1, 0], [0, 1], [1, 1], [-1, 0]], np.float32)
    near = find_neighbours(np.array([[5, 1]], np.float32), table, 2)
    assert near.tolist() == [[0, 2]]
    assert list_recall(near, np.array([[2, 3]])).tolist() == [0.5]
    with pytest.raises(InputError, match="'k' parameter must be from 1 to 4"):
        find_neighbours(table, table, 5)


def test_a_vote_falls_once_enough_neighbours_are_exchanged():
    votes = count_votes(np.array([0, 0, 0, 1]), np.array([[0, 1, 2, 3], [0, 1, 3, 3]]))
    weights, truth = np.ones(2), np.array([0, 0])
    assert votes.tolist() == [[3, 1], [2, 2]]
    assert vote_hits(votes, weights, truth).tolist() == [1, 0]
    assert vote_curve(votes, weights, truth).tolist() == [[1, 0, 0, 0, 0], [0, 0, 0, 0, 0]]


def test_a_word_with_votes_to_spare_survives_an_exchange():
    voted = [Counter({"bank": 3, "loan": 2, "dog": 1})]
    curve = word_curve([frozenset({"bank", "loan"})], voted, quorum=2, k=3)
    assert curve[0, 0] == 1
    assert curve[0, 1] == pytest.approx(2 * 1 / (1 + 1 + 2)), "loan may be lost, dog may be gained"
    assert curve[0, 2:].tolist() == [0, 0]


def test_the_worst_plan_exchanges_where_it_hurts_most():
    curves = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    assert worst_mean(curves, 0) == 1
    assert worst_mean(curves, 0.25) == 0.5, "one of four neighbours: the first row falls"
    assert worst_mean(curves, 1) == 0
    with pytest.raises(InputError, match="'lost' parameter must be from 0 to 1"):
        worst_mean(curves, 2)


def test_no_drawn_exchange_leaves_less_than_the_bound():
    rng = np.random.default_rng(0)
    classes, near = rng.integers(3, size=200), rng.integers(200, size=(60, 10))
    truth = rng.integers(3, size=60)
    weights = np.ones(3)
    bound = worst_mean(vote_curve(count_votes(classes, near), weights, truth), 0.1)
    for _ in range(50):
        changed = near.copy()
        cells = rng.permutation(near.size)[: near.size // 10]
        changed.ravel()[cells] = rng.integers(200, size=len(cells))
        assert vote_hits(count_votes(classes, changed), weights, truth).mean() >= bound
