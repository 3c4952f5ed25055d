"""Which item a worker gets: order, retries, repeats of slow items, failures, and the window."""

import pytest

from vestige.engine.schedule import ALIKE, FEWEST_AHEAD, MOST_ERRORS, MOST_LOSSES, PAUSES, Schedule

HERE = frozenset(["a"])


def test_items_start_in_order_and_end_once():
    schedule = Schedule(3)
    assert [schedule.assign(worker, "a", 0, HERE) for worker in "xyz"] == [0, 1, 2]
    assert schedule.assign("w", "a", 0, HERE) is None
    assert [schedule.finish(worker, 1) for worker in "zxy"] == [2, 0, 1]
    assert schedule.done


def test_an_item_that_failed_runs_again_on_another_machine():
    schedule, both = Schedule(2), frozenset(["a", "b"])
    assert schedule.assign("x", "a", 0, both) == 0
    assert schedule.fail("x", "the disk is full", 0) is None
    assert schedule.assign("x", "a", 0, both) == 1, "not the one that failed there"
    assert schedule.assign("y", "b", 0, both) == 0


def test_it_runs_on_the_same_machine_if_there_is_no_other():
    schedule = Schedule(1)
    schedule.assign("x", "a", 0, HERE)
    schedule.fail("x", "once", 0)
    assert schedule.assign("x", "a", 0, HERE) == 0


def test_an_item_pauses_longer_after_each_error_that_may_pass():
    schedule, now = Schedule(2), 0.0
    assert schedule.assign("x", "a", now, HERE) == 0
    assert schedule.assign("y", "a", now, HERE) == 1
    for pause in PAUSES:
        assert schedule.fail("x", "the connection broke", now, may_pass=True) is None
        assert schedule.assign("x", "a", now + 0.9 * pause, HERE) is None
        now += pause
        assert schedule.assign("x", "a", now, HERE) == 0
    assert schedule.fail("x", "the connection broke", now, may_pass=True) == 0
    assert schedule.fail("y", "the file is damaged", now) is None
    assert schedule.assign("y", "a", now, HERE) == 1, "which a pause does not repair"


@pytest.mark.parametrize(("times", "event"), [(MOST_ERRORS, "fail"), (MOST_LOSSES, "lose")])
def test_an_item_fails_for_good_and_the_others_finish(times, event):
    schedule = Schedule(2)
    assert schedule.assign("other", "a", 0, HERE) == 0
    ends = []
    for _ in range(times):
        assert schedule.assign("x", "a", 0, HERE) == 1
        ends.append(schedule.fail("x", "broken", 0) if event == "fail" else schedule.lose("x"))
    assert ends == [None] * (times - 1) + [1]
    assert not schedule.done
    schedule.finish("other", 1)
    assert schedule.done
    assert list(schedule.failed) == [1]


def test_a_slow_item_is_repeated_and_the_first_result_counts():
    schedule = Schedule(4, repeats=True)
    for item in range(3):
        assert schedule.assign("x", "a", item, HERE) == item
        schedule.finish("x", item + 1)
    assert schedule.assign("slow", "a", 3, HERE) == 3
    assert schedule.assign("x", "a", 4.9, HERE) is None, "not yet twice the median of one second"
    assert schedule.assign("x", "a", 5.1, HERE) == 3
    assert schedule.assign("y", "a", 9, HERE) is None, "two are enough"
    assert schedule.finish("x", 6) == 3
    assert schedule.done
    assert schedule.finish("slow", 7) is None


def test_a_repeat_that_fails_does_not_end_the_first():
    schedule = Schedule(4, repeats=True)
    for item in range(3):
        schedule.assign("x", "a", item, HERE)
        schedule.finish("x", item + 1)
    schedule.assign("slow", "a", 3, HERE)
    schedule.assign("x", "a", 9, HERE)
    assert schedule.lose("x") is None
    assert schedule.finish("slow", 10) == 3
    assert schedule.done


def test_nothing_starts_far_ahead_of_the_first_unfinished_item():
    schedule = Schedule(100)
    assert [schedule.assign(worker, "a", 0, HERE) for worker in range(FEWEST_AHEAD)] == list(range(FEWEST_AHEAD))
    schedule.finish(1, 1)
    assert schedule.assign(1, "a", 1, HERE) is None, "the first item is still open"
    schedule.finish(0, 1)
    assert [schedule.assign(worker, "a", 1, HERE) for worker in (0, 1)] == [FEWEST_AHEAD, FEWEST_AHEAD + 1]


def test_no_worker_of_a_large_cluster_is_idle_while_items_are_left():
    schedule = Schedule(10_000, workers=320)
    assert [schedule.assign(worker, "a", 0, HERE) for worker in range(320)] == list(range(320))


def test_an_idle_worker_may_die():
    schedule = Schedule(1)
    assert schedule.lose("x") is None


def test_after_several_alike_failures_no_other_item_starts_until_one_succeeds():
    schedule = Schedule(20)
    for index in range(ALIKE):
        assert schedule.assign("x", "a", 0, HERE) == index
        schedule.fail("x", f"no space for part {index}", 0, may_pass=True)
    assert schedule.assign("x", "a", 0, HERE) is None
    assert not schedule.hopeless, "it may pass"
    assert schedule.assign("x", "a", 1, HERE) == 0
    schedule.finish("x", 1)
    assert [schedule.assign(worker, "a", 1, HERE) for worker in "vwxyz"] == [1, 2, 3, 4, 5]


def test_failures_for_different_reasons_hold_nothing_back():
    schedule = Schedule(20)
    for index in range(10):
        assert schedule.assign("x", "a", 0, HERE) == index
        schedule.fail("x", "full" if index % 2 else "refused", 0, may_pass=True)
