"""Figure 10, once, at a size for tests."""

from tests.unit.papers.measuring import reproduce
from vestige.papers.pan2020.figure10 import LONG, describe_losses
from vestige.papers.record import OURS, PAPER, PRIOR


def test_every_epoch_has_an_accuracy_and_the_loss_is_recorded(cached_run):
    record = reproduce("pan2020", "figure10", cached_run)
    lines = {line.by: line for line in next(row for row in record.rows if row.lines).lines}
    assert all(score is not None for score in lines[PAPER].scores)
    (log,) = lines[PAPER].logs
    assert [epoch for epoch, _ in log.curve] == [1, 2, 3, 4, 5]
    assert log.curve[-1][1] < log.curve[0][1]
    # The longer training starts like the shorter one.
    assert lines[LONG].logs[0].curve[:5] == log.curve
    assert lines[LONG].scores[:4] == lines[OURS].scores[:4] == (None,) * 4
    assert {score.value for score in lines[PRIOR].scores} == {0.5}


def test_a_loss_near_zero_is_converged():
    assert describe_losses([3.0, 0.1]).converged
    assert not describe_losses([3.0, 0.2]).converged
