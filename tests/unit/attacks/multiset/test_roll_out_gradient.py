"""The gradient of a roll-out against automatic differentiation."""

import numpy as np
import pytest
import torch
from scipy import sparse

from vestige.attacks.multiset.input_rows import ColumnReader
from vestige.attacks.multiset.roll_out_gradient import CellTrace, RollOutGradient
from vestige.attacks.multiset.set_decoder import SetDecoder, WordsLeft, roll_out_loss

CPU = torch.device("cpu")
LENGTHS = torch.tensor([5, 4, 3, 2, 1, 5, 5, 3])


def batch_of(table, *, thin):
    table = table if thin else table.toarray()
    reader = ColumnReader.build(table, CPU)
    return reader, reader.read(table, np.arange(8))


def draw_labels(rng, share):
    """Eight texts over twelve words; the last has none."""
    labels = sparse.csr_array((rng.random((8, 12)) < share).astype(np.float32))
    return sparse.csr_array(sparse.vstack([labels[:7], sparse.csr_array((1, 12), dtype=np.float32)]))


def assert_same_gradient(model, batch, left, steps, **how):
    """Of two batches in a row, so that nothing of the first remains."""
    how = {"listed": False, **how}
    gradient = RollOutGradient(model, **how)
    for _ in range(2):
        torch.manual_seed(1)
        expected = roll_out_loss(model, batch, left, steps, **how)[0].mean()
        slopes = torch.autograd.grad(expected, list(model.parameters()))
        torch.manual_seed(1)
        assert gradient.compute(batch, left, steps) == pytest.approx(expected.item(), rel=1e-5)
        for parameter, slope in zip(model.parameters(), slopes, strict=True):
            assert torch.allclose(parameter.grad, slope, atol=1e-6)
        batch.clear_gradient(model.projection)


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("summed", [False, True])
@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize("repeats", [False, True])
def test_the_gradient_is_that_of_automatic_differentiation(listed, summed, thin, repeats):
    """Texts of all lengths, one without words, word weights, an end token, a dense and a sparse table."""
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    reader, batch = batch_of(sparse.random_array((8, 30), density=0.2, rng=rng, dtype=np.float32).tocsr(), thin=thin)
    model = SetDecoder(30, reader.used, 12, 6, 0.0, ends=True, repeats=repeats)
    torch.nn.init.normal_(model.words)
    left = WordsLeft.build(draw_labels(rng, 0.3), (1 + rng.random(12)).astype(np.float32), end=None)
    assert_same_gradient(model, batch, left, LENGTHS, listed=listed, summed=summed)


@pytest.mark.parametrize("repeats", [False, True])
def test_the_same_inputs_are_dropped_out_forwards_and_backwards(repeats):
    """Every text has more words than steps, so that all stay and both draw the same dropout."""
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    _, batch = batch_of(sparse.random_array((8, 30), density=0.5, rng=rng, dtype=np.float32).tocsr(), thin=False)
    model = SetDecoder(30, 30, 12, 6, 0.4, ends=False, repeats=repeats).train()
    left = WordsLeft.build(sparse.csr_array(np.ones((8, 12), np.float32)), np.ones(12, np.float32), end=None)
    assert_same_gradient(model, batch, left, torch.full((8,), 4))


def test_a_step_of_the_trace_is_a_step_of_the_cell():
    torch.manual_seed(0)
    cell = torch.nn.LSTMCell(3, 5)
    entry, state = torch.randn(4, 3), (torch.randn(4, 5), torch.randn(4, 5))
    with torch.no_grad():
        for ours, expected in zip(CellTrace(cell).advance(entry, state, None), cell(entry, state), strict=True):
            assert torch.allclose(ours, expected, atol=1e-6)


def test_a_batch_without_any_word_has_no_gradient():
    model = SetDecoder(2, 2, 3, 4, 0.0, ends=False)
    batch = ColumnReader(2, None, CPU).read(np.zeros((2, 2), np.float32), np.arange(2))
    left = WordsLeft(torch.arange(3).expand(2, -1), torch.zeros(2, 3))
    assert RollOutGradient(model, listed=False).compute(batch, left, torch.tensor([2, 2])) == 0
    assert not any(parameter.grad.any() for parameter in model.parameters())
