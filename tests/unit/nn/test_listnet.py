from math import e, log

import numpy as np
import pytest
import torch

from vestige.nn.listnet import listnet


def test_value_by_hand():
    first = e / (e + 1)
    expected = -(first * log(1 / 4) + (1 - first) * log(3 / 4))
    assert listnet(torch.tensor([[0.0, log(3)]]), torch.tensor([[1.0, 0.0]])).item() == pytest.approx(expected)


def test_it_is_least_where_scores_are_weights():
    weights = torch.tensor([[0.9, 0.1, 0.0], [0.0, 0.5, 0.2]])
    scores = weights.clone().requires_grad_()
    listnet(scores, weights).backward()
    assert scores.grad.abs().max() < 1e-7


def test_listnet_by_hand():
    scores, weights = torch.tensor([[0.0, np.log(3.0)]]), torch.tensor([[np.log(1.0), np.log(4.0)]])
    expected = -(0.2 * np.log(0.25) + 0.8 * np.log(0.75))
    assert float(listnet(scores, weights)) == pytest.approx(expected, rel=1e-6)
