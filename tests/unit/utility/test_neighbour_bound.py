"""The bound never exceeds what any exchange of neighbours leaves."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import sparse

from vestige.errors import InputError
from vestige.utility.neighbour_bound import (
    WordVote,
    count_votes,
    count_words,
    find_neighbours,
    find_price,
    least_left,
    list_recall,
    vote_curve,
    vote_hits,
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


def table(*rows: list[int]) -> sparse.csr_array:
    return sparse.csr_array(np.array(rows, np.int32))


def test_rows_of_the_same_document_are_no_neighbours():
    rows = np.array([[1, 0], [1, 0.1], [0, 1]], np.float32)
    assert find_neighbours(rows, rows, 1, documents=(list("aab"), list("aab"))).ravel().tolist() == [2, 2, 1]


def test_words_are_counted_among_neighbours():
    known = table([1, 1, 0], [1, 0, 0], [0, 0, 1])
    assert count_words(known, np.array([[0, 1], [1, 2]])).toarray().tolist() == [[2, 1, 0], [1, 0, 1]]


def test_a_vote_learns_how_many_neighbours_are_enough():
    """A text has word 0 if both of its neighbours have it, and word 1 never."""
    both, one = [[1, 1]] * 40, [[0, 1]] * 40
    known = table(*both, *one)
    near = np.array([[1, 2]] * 40 + [[0, 41]] * 40)
    vote = WordVote.learn(known, near, 0.6)
    assert vote.thresholds.tolist() == [2, 2]
    assert vote.guess(np.array([[0, 1], [0, 50]])).tolist() == [[True, True], [False, True]]


def test_what_is_left_of_a_guess_after_the_worst_exchange():
    """Words: bank and loan are in the text, dog is not; two votes are enough."""
    known = table([1, 1, 0], [1, 1, 0], [1, 0, 1], [0, 0, 1])
    vote = WordVote(known, np.array([2, 2, 2]))
    curve = vote.curve(np.array([[0, 1, 2]]), table([1, 1, 0]))
    assert curve[0, 0] == 1
    assert curve[0, 1] == pytest.approx(2 * 1 / (1 + 1 + 2)), "loan is lost with the first text, dog may be brought"
    assert curve[0, 3] == 0, "nothing of it is left"


def test_the_worst_plan_exchanges_where_it_hurts_most():
    curves = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    assert left(curves, 0) == pytest.approx(1)
    assert left(curves, 0.25) == pytest.approx(0.5), "one of four neighbours: the first row falls"
    assert left(curves, 1) == pytest.approx(0, abs=1e-5)
    with pytest.raises(InputError, match="'lost' parameter must be from 0 to 1"):
        find_price(curves, 2)


def test_any_price_gives_a_bound_and_the_one_that_is_found_the_best():
    curves = np.sort(np.random.default_rng(0).random((50, 6)), axis=1)[:, ::-1]
    best = left(curves, 0.2)
    assert all(least_left(curves, 0.2, price).mean() <= best + 1e-6 for price in np.linspace(0, 1, 200))


def left(curves: np.ndarray, lost: float) -> float:
    return float(least_left(curves, lost, find_price(curves, lost)).mean())


def test_no_drawn_exchange_leaves_less_than_the_bound():
    rng = np.random.default_rng(0)
    classes, near = rng.integers(3, size=200), rng.integers(200, size=(60, 10))
    truth = rng.integers(3, size=60)
    weights = np.ones(3)
    bound = left(vote_curve(count_votes(classes, near), weights, truth), 0.1)
    for _ in range(50):
        changed = near.copy()
        cells = rng.permutation(near.size)[: near.size // 10]
        changed.ravel()[cells] = rng.integers(200, size=len(cells))
        assert vote_hits(count_votes(classes, changed), weights, truth).mean() >= bound


def test_no_drawn_exchange_leaves_less_of_the_words_than_the_bound():
    rng = np.random.default_rng(1)
    known = sparse.csr_array((rng.random((60, 12)) < 0.3).astype(np.int32))
    near = np.stack([rng.permutation(60)[:5] for _ in range(30)])
    vote = WordVote(known, rng.integers(1, 4, 12))
    truth = sparse.csr_array(
        ((count_words(known, near).toarray() >= 2) | (rng.random((30, 12)) < 0.1)).astype(np.int32)
    )
    bound = left(vote.curve(near, truth), 0.2)
    drawn = [score(vote, exchange(near, 60, rng), truth) for _ in range(200)]
    assert 0 < bound <= min(drawn)


@pytest.mark.parametrize("seed", range(6))
def test_no_exchange_at_all_leaves_less_of_the_words_than_the_bound(seed):
    """Every list that differs by up to two texts, for every row, and every way to spend two exchanges on three rows."""
    rng = np.random.default_rng(seed)
    known = sparse.csr_array((rng.random((9, 6)) < 0.45).astype(np.int32))
    near = np.stack([rng.permutation(9)[:4] for _ in range(3)])
    vote = WordVote(known, rng.integers(1, 4, 6))
    truth = sparse.csr_array(((vote.guess(near)) | (rng.random((3, 6)) < 0.2)).astype(np.int32))
    least = np.array([find_least_by_hand(vote, row, truth[[place]]) for place, row in enumerate(near)])
    curves = vote.curve(near, truth)
    assert (curves[:, :3] <= least + 1e-9).all()
    worst = min(
        least[np.arange(3), spent].mean() for spent in map(list, product(range(3), repeat=3)) if sum(spent) <= 2
    )
    assert left(curves, 2 / near.size) <= worst + 1e-9
    assert curves[:, 0] == pytest.approx(least[:, 0]), "without an exchange the bound is the score"


def find_least_by_hand(vote: WordVote, row: np.ndarray, truth: sparse.csr_array) -> list[float]:
    """The lowest F1 after none, up to one, up to two texts of a list were exchanged for any others."""
    others = np.setdiff1d(np.arange(vote.table.shape[0]), row)
    lowest = []
    for edits in range(3):
        lists = [
            [*np.delete(row, gone), *new]
            for gone in combinations(range(len(row)), edits)
            for new in combinations(others, edits)
        ]
        found = min(score(vote, np.array([each]), truth) for each in lists)
        lowest.append(min([found, *lowest]))
    return lowest


def exchange(near: np.ndarray, rows: int, rng: np.random.Generator) -> np.ndarray:
    """One neighbour of every row is replaced by a row that is not among them."""
    changed = near.copy()
    for row in changed:
        row[rng.integers(len(row))] = rng.choice(np.setdiff1d(np.arange(rows), row))
    return changed


def score(vote: WordVote, near: np.ndarray, truth: sparse.csr_array) -> float:
    guessed, own = vote.guess(near), truth.toarray() > 0
    return float((2 * (guessed & own).sum(axis=1) / np.maximum(guessed.sum(axis=1) + own.sum(axis=1), 1)).mean())
