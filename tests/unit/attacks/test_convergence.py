import numpy as np
import pytest
import torch

from vestige.attacks.convergence import (
    EVERY,
    PATIENCE,
    TOLERANCE,
    Convergence,
    DescentRecord,
    summarize_descents,
)


def test_a_row_is_at_rest_and_kept_where_it_was_lowest():
    """The first row changes by half a part in 10,000 at the second look, the other by two parts, then not at all."""
    watch = Convergence(torch.zeros(2, 1), steps=1000)
    assert watch.update(50, torch.tensor([[1.0], [1.0]]), torch.tensor([1.0, 1.0])).tolist() == [True, True]
    near = torch.tensor([1 - 0.5 * TOLERANCE, 1 - 2 * TOLERANCE])
    assert watch.update(100, torch.tensor([[2.0], [2.0]]), near).tolist() == [False, True]
    assert watch.update(150, torch.tensor([[3.0]]), near[1:]).tolist() == [False]
    assert watch.state.tolist() == [[2.0], [2.0]]
    assert watch.record(2).converged.tolist() == [True, True]
    assert watch.record(2).objectives == pytest.approx(np.array([[1, 1], near.tolist(), near.tolist()]))


def test_a_row_that_goes_around_its_minimum_is_on_a_plateau_and_one_that_falls_is_not():
    """The first swings between 0.9, its lowest, and 1.1 for ever; the second falls twice as fast as a plateau may."""
    watch = Convergence(torch.zeros(2, 1, dtype=torch.float64), steps=10 * PATIENCE)
    checks = PATIENCE // EVERY
    for check in range(checks + 1):
        objectives = torch.tensor([1.1 if check % 2 else 0.9, 1 - 2 * TOLERANCE * check], dtype=torch.float64)
        going = watch.update(EVERY * (check + 1), torch.full((2, 1), float(check), dtype=torch.float64), objectives)
        assert going.tolist() == [check < checks, True]
    assert watch.state.tolist() == [[0.0], [checks]]
    assert watch.record(2).converged.tolist() == [True, False]


def test_a_row_whose_objective_vanishes_has_converged():
    watch = Convergence(torch.zeros(2, 1), steps=1000)
    watch.update(50, torch.zeros(2, 1), torch.tensor([1.0, 2.0]))
    assert watch.update(100, torch.ones(2, 1), torch.tensor([0.9, 2.1]) * TOLERANCE).tolist() == [False, True]


def test_it_looks_now_and_then_and_at_the_last_step():
    watch = Convergence(torch.zeros(1), steps=2 * EVERY + 3)
    assert [step for step in range(1, 2 * EVERY + 4) if watch.is_due(step)] == [EVERY, 2 * EVERY, 2 * EVERY + 3]


def test_copies_that_fill_a_block_are_not_on_record():
    watch = Convergence(torch.zeros(3, 1), steps=50)
    watch.update(50, torch.zeros(3, 1), torch.tensor([1.0, 2.0, 9.0]))
    assert watch.record(2).objectives.tolist() == [[1, 2]]
    assert watch.record(2).converged.tolist() == [False, False]


def test_all_targets_must_meet_the_rule_and_the_curve_is_their_mean():
    """By hand: one target rests after 50 steps at 2, the other goes on from 4 to 1 and is cut off."""
    short = DescentRecord((50,), np.array([[2.0]]), np.array([True]))
    long = DescentRecord((50, 100), np.array([[4.0], [1.0]]), np.array([False]))
    log = summarize_descents([short, long], 100)
    assert (log.converged, log.steps, log.curve) == (False, 100, ((50, 3.0), (100, 1.5)))
    assert log.rule.endswith("at most 100 steps; 1 of 2 targets did")
    assert summarize_descents([short], 100).converged


def test_no_targets_have_nothing_left_to_do():
    assert summarize_descents([], 100).curve == ()
