"""Changes are found, made, carried over to another text, and combined where their differences add up."""

import numpy as np
import pytest

from vestige.attacks.guided.changes import ChangePool, carry, find_change, make_change

TEXT = (1, 2, 3, 4, 5)


@pytest.mark.parametrize("other", [(1, 9, 3, 4, 5), (1, 2, 3, 4, 5, 6), (2, 3, 4, 5), (1, 4, 2, 3, 5), (9,), TEXT])
def test_a_change_that_is_found_leads_to_the_other_text(other):
    assert make_change(TEXT, find_change(TEXT, other)) == other


def test_a_change_moves_with_its_words():
    made = find_change(TEXT, (1, 7, 8, 2, 3, 4, 5))
    assert carry(find_change(TEXT, (1, 2, 3, 9, 5)), made) == ((5, 6, (9,)),)
    assert carry(find_change(TEXT, (9, 2, 3, 4, 5)), made) == ((0, 1, (9,)),)


@pytest.mark.parametrize(
    ("one", "other"),
    [((1, 9, 3, 4, 5), (1, 8, 3, 4, 5)), ((1, 2, 9, 3, 4, 5), (1, 2, 8, 3, 4, 5)), ((1, 5), (1, 2, 3, 9, 4, 5))],
)
def test_changes_that_overlap_are_not_carried(one, other):
    assert carry(find_change(TEXT, one), find_change(TEXT, other)) is None


def build_pool(differences):
    pool = ChangePool()
    pool.rebase(TEXT)
    for child, difference in differences.items():
        pool.add(TEXT, child, np.array(difference, np.float32), 0.0)
    return pool


def test_two_changes_that_help_only_together_are_combined_first():
    """Each turns the vector away to another side; together they lead to the target."""
    vector, target = np.array([1, 0, 0], np.float32), np.array([0.8, 0.6, 0], np.float32)
    pool = build_pool({(9, 2, 3, 4, 5): (0, 0.4, 0.9), (1, 2, 3, 4, 8): (0, 0.4, -0.9), (1, 2, 7, 4, 5): (0, 0.05, 0)})
    assert pool.combine(vector, target, 0.0, 9)[0] in {(9, 2, 3, 4, 8), (9, 2, 7, 4, 8)}
    assert (
        max(float(target @ (vector + change[0]) / np.linalg.norm(vector + change[0])) for change in pool.found.values())
        < 0.85
    )


def test_changes_of_one_word_are_never_made_together():
    pool = build_pool({(9, 2, 3, 4, 5): (0, 1, 0), (8, 2, 3, 4, 5): (0, 1, 0), (1, 2, 3, 4, 5, 6): (0, 0, 1)})
    made = pool.combine(np.array([1, 0, 0], np.float32), np.array([0, 1, 0], np.float32), 0.0, 9)
    assert set(made) == {(9, 2, 3, 4, 5, 6), (8, 2, 3, 4, 5, 6)}


def test_fluency_counts_by_its_weight():
    pool = build_pool({(9, 2, 3, 4, 5): (0, 0.1, 0), (1, 2, 3, 4, 8): (0, 0.1, 0), (1, 2, 7, 4, 5): (0, 0.1, 0)})
    pool.add(TEXT, (1, 2, 7, 4, 5), np.array((0, 0.09, 0), np.float32), -5.0)
    vector, target = np.array([1, 0, 0], np.float32), np.array([0, 1, 0], np.float32)
    assert pool.combine(vector, target, 0.1, 1) == [(9, 2, 3, 4, 8)]
    assert pool.combine(vector, target, 0.0, 1) == [(9, 2, 7, 4, 8)]


def test_a_pool_follows_its_text_and_takes_changes_of_others():
    pool = build_pool({(9, 2, 3, 4, 5): (0, 1, 0), (1, 2, 3, 4, 8): (0, 0, 1)})
    pool.rebase((6, 1, 2, 3, 4, 8))
    assert list(pool.found) == [((1, 2, (9,)),)]
    pool.add(TEXT, (1, 2, 7, 4, 5), np.zeros(3, np.float32), 0.0)
    assert list(pool.found)[1:] == [((3, 4, (7,)),)]
    assert pool.combine(np.ones(3, np.float32), np.ones(3, np.float32), 0.0, 1) == [(6, 9, 2, 7, 4, 8)]


def test_with_nothing_to_combine_there_is_no_text():
    assert build_pool({}).combine(np.ones(3, np.float32), np.ones(3, np.float32), 0.0, 1) == []
