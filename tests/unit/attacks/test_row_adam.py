"""Adam on rows that may leave: as torch's own where none does."""

import torch

from vestige.attacks.row_adam import RowAdam


def gradients(rows):
    return [torch.randn(rows, 3, generator=torch.Generator().manual_seed(step)) for step in range(6)]


def test_it_is_the_adam_of_torch_and_leaves_the_start_alone():
    start = torch.ones(4, 3)
    ours, theirs = RowAdam(start, 0.1), torch.ones(4, 3, requires_grad=True)
    adam = torch.optim.Adam([theirs], lr=0.1)
    for gradient in gradients(4):
        ours.step(gradient)
        theirs.grad = gradient
        adam.step()
    assert torch.allclose(ours.values, theirs, atol=1e-6)
    assert (start == 1).all()


def test_a_row_moves_on_as_if_the_others_had_stayed():
    together, leaving = RowAdam(torch.ones(4, 3), 0.1), RowAdam(torch.ones(4, 3), 0.1)
    for step, gradient in enumerate(gradients(4)):
        together.step(gradient)
        leaving.step(gradient if step < 3 else gradient[1:3])
        if step == 2:
            leaving.keep(torch.tensor([False, True, True, False]))
    assert torch.allclose(leaving.values, together.values[1:3], atol=1e-6)
