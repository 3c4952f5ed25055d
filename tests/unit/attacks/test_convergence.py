import torch

from vestige.attacks.convergence import EVERY, TOLERANCE, Convergence


def test_a_row_is_kept_as_it_came_to_rest():
    """The first row changes by half a part in 10,000 at the second look, the other by two parts, then not at all."""
    watch = Convergence(torch.zeros(2, 1), steps=1000)
    assert not watch.update(torch.tensor([[1.0], [1.0]]), torch.tensor([1.0, 1.0]))
    assert not watch.update(torch.tensor([[2.0], [2.0]]), torch.tensor([1 - 0.5 * TOLERANCE, 1 - 2 * TOLERANCE]))
    assert watch.update(torch.tensor([[3.0], [3.0]]), torch.tensor([0.5, 1 - 2 * TOLERANCE]))
    assert watch.state.tolist() == [[2.0], [3.0]]


def test_it_looks_now_and_then_and_at_the_last_step():
    watch = Convergence(torch.zeros(1), steps=2 * EVERY + 3)
    assert [step for step in range(1, 2 * EVERY + 4) if watch.is_due(step)] == [EVERY, 2 * EVERY, 2 * EVERY + 3]
