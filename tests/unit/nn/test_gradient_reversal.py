import pytest
import torch

from vestige.nn.gradient_reversal import reverse_gradient


@pytest.mark.parametrize("strength", [0.0, 1.0, 2.5])
def test_values_pass_and_gradients_are_reversed_times_the_strength(strength):
    values = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    passed = reverse_gradient(values, strength)
    assert passed.tolist() == [1.0, -2.0, 3.0]
    (passed**2).sum().backward()
    assert values.grad.tolist() == [-strength * 2.0, strength * 4.0, -strength * 6.0]


def test_two_heads_combine_as_in_line_8_of_algorithm_1():
    """The shared layer receives the keyword loss's gradient less lambda times the domain loss's."""
    shared = torch.tensor([0.5, 2.0], requires_grad=True)
    keyword = (3 * shared).sum()
    domain = (reverse_gradient(shared, 0.25) ** 2).sum()
    (keyword + domain).backward()
    assert shared.grad.tolist() == [3 - 0.25 * 2 * 0.5, 3 - 0.25 * 2 * 2.0]
