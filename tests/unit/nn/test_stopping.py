"""When a training ends: losses by hand."""

import pytest

from vestige.nn.stopping import LossWatch
from vestige.types import TrainingLog


def run(losses, **settings):
    """How many epochs it ran, and the log."""
    watch = LossWatch(**settings)
    for loss in losses:
        if watch.update(loss):
            break
    return watch.log()


def test_with_patience_it_ends_when_the_loss_has_not_fallen_for_so_long():
    log = run([3, 2, 2.5, 2, 1, 0.5], most=10, patience=2)
    rule = (
        "until the held-out loss has not fallen for 2 epochs, at most 10; converged if it ended so, or if the last 5 "
        "lowered the held-out loss by less than 1%, and by less than 1% of its whole fall"
    )
    assert log == TrainingLog(rule, True, 4, ((1, 3), (2, 2), (3, 2.5), (4, 2)))


def test_cut_off_before_its_patience_ends_it_has_not_converged():
    log = run([3, 2, 1, 1.5], most=4, patience=2)
    assert (log.steps, log.converged) == (4, False)


def test_cut_off_while_the_loss_hardly_fell_it_has_converged():
    losses = [5, 1, 1.2, 0.999, 1.2, 0.998, 0.997]
    assert run(losses, most=7, patience=3).converged
    assert not run([*losses[:-1], 0.9], most=7, patience=3).converged


def test_an_end_by_both_has_converged():
    assert run([3, 1, 2, 2], most=4, patience=2).converged


@pytest.mark.parametrize(
    ("losses", "converged"),
    [
        ([5, 4, 3, 2, 1, 1, 1, 1, 1, 1], True),  # five epochs at the lowest
        ([5, 4, 3, 2, 1, 1, 1, 1, 1, 0.995], True),  # half a percent lower
        ([5, 4, 3, 2, 1, 1, 1, 1, 1, 0.98], False),  # two percent lower: it still falls
        ([105, 104, 103, 102, 101, 101, 101, 101, 101, 100.5], False),  # little of itself, but a ninth of its fall
        ([105, 104, 103, 102, 101, 101, 101, 101, 101, 100.97], True),  # less than a hundredth of its fall
        ([5, 4, 3, 2, 1, 2, 3, 4, 5, 6], True),  # rising is no longer falling
        ([5, 4, 3, 2, 1], False),  # nothing before the last five
    ],
)
def test_a_fixed_number_of_epochs_has_converged_if_the_loss_hardly_fell_at_the_end(losses, converged):
    log = run([*losses, 9], most=len(losses))
    assert (log.steps, log.converged) == (len(losses), converged)
