"""The network of the set decoders: losses by hand, and the gradient against automatic differentiation."""

import numpy as np
import pytest
import torch
from scipy import sparse

from vestige.attacks.multiset.input_rows import ColumnReader
from vestige.attacks.multiset.set_decoder import (
    SetDecoder,
    WordsLeft,
    multiset_loss,
    roll_out,
    roll_out_loss,
)

CPU = torch.device("cpu")


def left_of(weights):
    """Words in the order of their columns, with these weights."""
    table = torch.tensor(weights, dtype=torch.float32)
    return WordsLeft(torch.arange(table.shape[1]).expand(len(table), -1), table)


def test_the_loss_of_one_step_by_hand():
    """P = softmax(0, ln 2, ln 5) = 1/8, 2/8, 5/8; words 0 and 1 are left: (ln 8 + ln 4) / 2."""
    logits = torch.tensor([[0.0, np.log(2), np.log(5)]] * 3, dtype=torch.float32)
    left = left_of([[1.0, 1, 0], [0, 0, 0], [3, 1, 0]])
    expected = [(np.log(8) + np.log(4)) / 2, 0.0, (3 * np.log(8) + np.log(4)) / 4]
    assert multiset_loss(logits, left).tolist() == pytest.approx(expected, rel=1e-5)
    added = [np.log(8) + np.log(4), 0.0, 3 * np.log(8) + np.log(4)]
    assert multiset_loss(logits, left, summed=True).tolist() == pytest.approx(added, rel=1e-5)


def test_the_words_left_of_a_batch_by_hand():
    labels = sparse.csr_array(np.array([[1, 0, 1], [0, 0, 0]], np.float32))
    left = WordsLeft.build(labels, np.array([2.0, 3.0, 4.0], np.float32), end=3)
    assert left.words.tolist() == [[0, 2, 3], [3, 0, 0]]
    assert left.weights.tolist() == [[2, 4, 1], [1, 0, 0]]
    assert left.without(torch.tensor([2, 3])).weights.tolist() == [[2, 0, 1], [0, 0, 0]]
    assert WordsLeft.build(labels, np.ones(3, np.float32), end=None).any.tolist() == [True, False]


class _Scripted(SetDecoder):
    """Gives the logits of the script, step by step, whatever it is fed."""

    def __init__(self, script):
        super().__init__(2, 2, 2, 4, 0.0, ends=len(script[0]) > 2)
        self.script, self.now = script, 0

    def logits(self, hidden):
        self.now += 1
        return torch.tensor([self.script[self.now - 1]] * len(hidden), dtype=torch.float32).log()


def inputs(count=1):
    return ColumnReader(2, None, CPU).read(np.zeros((count, 2), np.float32), np.arange(count))


def loss_of(script, left, steps, listed=False):
    losses, claimed = roll_out_loss(_Scripted(script), inputs(), left, torch.tensor([steps]), listed=listed)
    return losses.item(), claimed.tolist()


def test_the_loss_of_a_roll_out_by_hand():
    """Two words and an end. Step 1 has both left and predicts word 0; step 2 has word 1 left and predicts the end."""
    script = [[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [0.1, 0.8, 0.1]]
    expected = (np.log(2) + np.log(4)) / 2 + np.log(4)
    loss, predicted = loss_of(script, left_of([[1.0, 1, 0]]), 3)
    assert loss == pytest.approx(expected, rel=1e-5)
    drawn, claimed = roll_out(_Scripted(script), inputs(), torch.tensor([3]))
    assert claimed.tolist() == predicted == [[True, False]]
    assert drawn[0].tolist() == pytest.approx([1 - 0.5 * 0.75, 1 - 0.75 * 0.75], rel=1e-5)


def test_without_an_end_token_no_word_ends_a_roll_out():
    """By hand: two words, no end. All three steps are taken, and both words are claimed."""
    script = [[0.25, 0.75], [0.25, 0.75], [0.9, 0.1]]
    expected = (np.log(4) + np.log(4 / 3)) / 2 + np.log(4) + np.log(10 / 9)
    loss, predicted = loss_of(script, left_of([[1.0, 1]]), 3)
    assert loss == pytest.approx(expected, rel=1e-5)
    drawn, claimed = roll_out(_Scripted(script), inputs(), torch.tensor([3]))
    assert claimed.tolist() == predicted == [[True, True]]
    assert drawn[0].tolist() == pytest.approx([1 - 0.75 * 0.75 * 0.1, 1 - 0.25 * 0.25 * 0.9], rel=1e-5)


def test_as_listed_the_predicted_word_is_removed_before_the_loss():
    """By hand: step 1 predicts word 1 and counts word 0 alone; then nothing is left once word 0 is predicted."""
    script = [[0.25, 0.75], [0.9, 0.1], [0.5, 0.5]]
    assert loss_of(script, left_of([[1.0, 1]]), 3, listed=True)[0] == pytest.approx(np.log(4), rel=1e-5)


def test_a_text_has_as_many_steps_as_it_is_given():
    script = [[0.25, 0.75], [0.9, 0.1]]
    both = (np.log(4) + np.log(4 / 3)) / 2
    for steps, expected, predicted in ((1, both, [[False, True]]), (2, both + np.log(10 / 9), [[True, True]])):
        loss, claimed = loss_of(script, left_of([[1.0, 1]]), steps)
        assert loss == pytest.approx(expected, rel=1e-5)
        assert claimed == predicted


@torch.no_grad()
def test_from_the_start_of_keras_two_inputs_are_still_apart_after_ten_steps():
    """Where the forget gate begins open the cell remembers its first input; where it begins half open it does not."""
    apart = {}
    for keras in (False, True):
        torch.manual_seed(0)
        model = SetDecoder(8, 8, 5, 16, 0.0, ends=False)
        if keras:
            model.start_as_keras()
        first = state = model.step(torch.randn(2, 16), model.first_state(2))
        for _ in range(10):
            state = model.step(torch.zeros(2, 16), state)
        apart[keras] = float((state[1][0] - state[1][1]).norm() / (first[1][0] - first[1][1]).norm())
    assert apart[False] < 0.02 < 0.05 < apart[True]


def test_the_projection_starts_by_the_dimension_of_the_vectors_and_not_by_the_columns_in_use():
    model = SetDecoder(594, 4, 5, 6, 0.0, ends=False)
    model.start_as_keras()
    assert 0.05 < float(model.projection.abs().max()) <= 0.1
    assert model.cell.bias_hh.tolist() == [0.0] * 6 + [1.0] * 6 + [0.0] * 12
