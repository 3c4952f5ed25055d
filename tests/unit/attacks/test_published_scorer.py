"""The published classifiers of words: the gradient and the loss against torch, and the log."""

import numpy as np
import pytest
import torch

from vestige.attacks.published_scorer import PUBLISHED, _ScorerLoss, train_published_scorer
from vestige.attacks.training_set import TrainingSet

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def pairs(toy_pairs):
    return TrainingSet.build(
        toy_pairs[0][:200], toy_pairs[1][:200], None, vocabulary_size=20, rare_words=0.0, rng=np.random.default_rng(0)
    )


def cross_entropy(model, pairs, rows):
    logits, truth = model(torch.from_numpy(pairs.vectors[rows])), torch.from_numpy(pairs.labels[rows].toarray())
    return torch.nn.functional.binary_cross_entropy_with_logits(logits, truth, reduction="sum") / len(rows)


def test_gradient_and_loss_are_those_of_the_binary_cross_entropy(pairs):
    model = torch.nn.Linear(pairs.vectors.shape[1], 20)
    loss, rows = _ScorerLoss(pairs, model, CPU), pairs.train[:30]
    expected = torch.autograd.grad(cross_entropy(model, pairs, rows), list(model.parameters()))
    loss.set_gradient(rows)
    assert torch.allclose(model.weight.grad, expected[0], atol=1e-6)
    assert torch.allclose(model.bias.grad, expected[1], atol=1e-6)
    assert loss.held_out(7) == pytest.approx(cross_entropy(model, pairs, pairs.held_out).item(), rel=1e-5)


def test_the_log_has_the_held_out_loss_and_says_whether_it_still_fell(pairs):
    def train(training):
        return train_published_scorer(pairs, rng=np.random.default_rng(0), device=CPU, training=training)[1]

    short = train(PUBLISHED)
    assert (short.steps, short.converged) == (30, False)
    assert short.curve[-1][1] < short.curve[0][1]
    fast = type(PUBLISHED)(epochs=200, rate=3e-2, batch=64)
    assert train(fast).converged
