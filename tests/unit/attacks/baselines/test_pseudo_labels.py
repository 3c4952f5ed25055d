import pytest
import torch

from vestige.attacks.baselines.pseudo_labels import pseudo_labels


def test_pseudo_labels_are_the_best_words_with_equal_weight():
    scores = torch.tensor([[0.1, 0.9, 0.5, 0.2]], requires_grad=True)
    labels = pseudo_labels(scores, 2)
    assert labels.tolist() == [[0, pytest.approx(0.5**0.5), pytest.approx(0.5**0.5), 0]]
    assert not labels.requires_grad
