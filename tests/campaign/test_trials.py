"""What counts as a hang: computing for too long or resting for too long, and not a long time by the clock."""

import time

from tests.campaign.trials import Forked


def _spin(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def _work_slowly() -> int:
    """Four seconds by the clock, a fifth of a second of computing in each."""
    for _ in range(4):
        time.sleep(0.8)
        _spin(0.2)
    return 0


def test_a_process_that_rests_is_a_hang():
    assert Forked(lambda: time.sleep(600), idle=1).wait().find_fault(0) == "hang"


def test_a_process_that_computes_without_end_is_a_hang():
    assert Forked(lambda: _spin(600), seconds=1, idle=60).wait().find_fault(0) == "hang"


def test_a_process_that_is_slow_is_no_hang():
    assert Forked(_work_slowly, seconds=2, idle=2).wait().find_fault(0) is None


def test_what_a_process_waits_for_counts():
    """A command waits for the child that reads a store."""
    assert Forked(lambda: Forked(_work_slowly, seconds=2).wait().code, seconds=2, idle=2).wait().code == 0


def test_a_process_that_crashes_is_not_waited_for():
    began = time.monotonic()
    running = Forked(lambda: time.sleep(600))
    running.send(9)
    assert running.wait().find_fault(0) == "crash by signal 9"
    assert time.monotonic() - began < 60
