import numpy as np
import pytest
import torch

from vestige.encoders.dual.training import LearningRate, _split_chain, next_sentence_loss


def test_the_loss_is_equation_2_by_hand():
    """Runs (a, b, c) and (d, e). Each picks the next from itself and the other run: a's neighbour c is barred.

    Products: a.b = 2, b.c = 0, d.e = 3; a.d = 0, a.e = 1; b.d = 0, b.e = 2; d.a = 0, d.b = 0, d.c = 9.
    """
    vectors = torch.tensor([[1.0, 0.0], [2.0, 0.0], [0.0, 3.0], [0.0, 3.0], [1.0, 1.0]])
    terms = [
        -2 + np.log(np.exp(2) + np.exp(0) + np.exp(1)),
        -0 + np.log(np.exp(0) + np.exp(0) + np.exp(2)),
        -3 + np.log(np.exp(3) + np.exp(0) + np.exp(0) + np.exp(9)),
    ]
    found = next_sentence_loss(vectors, [range(3), range(3, 5)])
    assert found.item() == pytest.approx(np.mean(terms), rel=1e-5)


def test_a_document_is_split_chain_into_runs_that_lose_no_sentence():
    rng = np.random.default_rng(0)
    for length in range(2, 40):
        runs = _split_chain(range(100, 100 + length), 8, rng)
        assert [row for run in runs for row in run] == list(range(100, 100 + length))
        assert all(2 <= len(run) <= 9 for run in runs)


def test_the_rate_rises_and_declines():
    line, root = LearningRate(1.0, 4, "line"), LearningRate(1.0, 4, "root")
    assert [line.at(step, 8) for step in (1, 4, 5, 8)] == [0.25, 1.0, 1.0, 0.25]
    assert [root.at(step, 99) for step in (2, 4, 16)] == [0.5, 1.0, 0.5]
    assert LearningRate(1.0, 0, "none").at(1, 8) == 1.0
