"""The loop of every engine, on workers that misbehave as told."""

from dataclasses import replace

import pytest

from vestige.engine.job import (
    Event,
    FailedItems,
    FolderTaken,
    Job,
    RemoteDefect,
    RemoteError,
    SourceChanged,
    Unreachable,
    Worker,
    describe_error,
    run_on_pool,
)
from vestige.errors import InputError, UnusableRows


class Scripted:
    """A pool whose workers answer by a function of the item and the number of times it was started."""

    def __init__(self, answer, workers=2):
        self.answer, self.idle, self.started, self.events = answer, list(range(workers)), {}, []
        self.size = workers
        self.clock, self.starts = 0.0, []

    def list_idle(self):
        return [Worker(number, f"home {number}") for number in self.idle]

    def list_homes(self):
        return frozenset(["home 0", "home 1"])

    def start(self, worker, item):
        self.idle.remove(worker.number)
        self.started[item] = self.started.get(item, 0) + 1
        self.starts.append((self.clock, item))
        self.events.append((worker, item))

    def wait(self):
        if not self.events:
            self.clock += 0.5
            return []
        worker, item = self.events.pop()
        self.idle.append(worker.number)
        return [self.answer(worker, item, self.started[item])]

    def now(self):
        return self.clock


def fine(worker, item, _times):
    return Event(worker, "result", item * 10)


JOB = Job(work=None, describe=lambda item: f"item {item}")


def test_exactly_one_outcome_per_item_in_any_order():
    outcomes = list(run_on_pool(JOB, iter(range(7)), 7, Scripted(fine)))
    assert sorted((each.index, each.result) for each in outcomes) == [(index, 10 * index) for index in range(7)]


def test_every_worker_of_a_large_cluster_starts_an_item():
    pool = Scripted(fine, workers=320)
    next(run_on_pool(JOB, iter(range(1000)), 1000, pool))
    assert len(pool.started) == 320


def test_items_are_drawn_as_workers_get_free():
    drawn = []

    def items():
        for item in range(100):
            drawn.append(item)
            yield item

    next(run_on_pool(JOB, items(), 100, Scripted(fine)))
    assert len(drawn) == 2


@pytest.mark.parametrize("kind", ["error", "lost"])
def test_an_item_survives_errors_and_dead_workers(kind):
    def answer(worker, item, times):
        if item == 3 and times < 3:
            return Event(worker, kind, error=OSError("the disk is full"))
        return fine(worker, item, times)

    pool = Scripted(answer)
    assert len(list(run_on_pool(JOB, iter(range(7)), 7, pool))) == 7
    assert pool.started == dict.fromkeys(range(7), 1) | {3: 3}


def test_an_item_that_always_fails_is_named_after_the_others_have_finished():
    def answer(worker, item, times):
        return Event(worker, "error", error=InputError("no")) if item == 2 else fine(worker, item, times)

    run, outcomes = run_on_pool(JOB, iter(range(7)), 7, Scripted(answer)), []
    with pytest.raises(FailedItems, match=r"1 of 7 parts failed repeatedly \(item 2: no\); the other 6"):
        outcomes.extend(outcome.index for outcome in run)
    assert sorted(outcomes) == [0, 1, 3, 4, 5, 6]


def test_items_that_failed_for_one_reason_are_named_together():
    def answer(worker, item, _times):
        return Event(worker, "error", error=InputError("full" if item < 3 else f"odd {item}"))

    with pytest.raises(FailedItems) as raised:
        list(run_on_pool(JOB, iter(range(7)), 7, Scripted(answer)))
    assert str(raised.value).startswith(
        "7 of 7 parts failed repeatedly (item 0 and item 1 and item 2: full; item 3: odd 3; item 4: odd 4; and 2 more)"
        "; none is finished; correct this"
    )


@pytest.mark.parametrize(
    ("error", "pauses"),
    [
        (Unreachable("s3"), True),
        (RemoteError("OSError"), True),
        (OSError("the disk is full"), True),
        (InputError("damaged"), False),
    ],
)
def test_an_item_pauses_before_it_runs_again_if_the_cause_may_pass(error, pauses):
    def answer(worker, item, _times):
        return Event(worker, "error", error=error) if item == 2 else fine(worker, item, _times)

    pool = Scripted(answer)
    with pytest.raises(FailedItems, match="1 of 3"):
        list(run_on_pool(JOB, iter(range(3)), 3, pool))
    assert [moment for moment, item in pool.starts if item == 2] == ([0, 1, 6, 31] if pauses else [0, 0, 0, 0])


@pytest.mark.parametrize("error", [UnusableRows("NaN"), SourceChanged("changed"), FolderTaken("taken")])
def test_an_error_that_makes_all_results_useless_ends_the_run_at_once(error):
    pool = Scripted(lambda worker, _item, _times: Event(worker, "error", error=error))
    with pytest.raises(type(error)):
        list(run_on_pool(JOB, iter(range(7)), 7, pool))
    assert max(pool.started.values()) == 1


def test_a_job_chooses_what_is_fatal():
    pool = Scripted(lambda worker, _item, _times: Event(worker, "error", error=InputError("refused")))
    with pytest.raises(InputError, match=r"^refused$"):
        list(run_on_pool(replace(JOB, fatal=(InputError,)), iter(range(7)), 7, pool))


def test_the_kind_of_an_unexpected_error_is_named():
    assert describe_error(InputError("a.npy is empty")) == "a.npy is empty"
    assert describe_error(ZeroDivisionError("division")) == "ZeroDivisionError: division"
    assert describe_error(MemoryError()) == "it needs more memory than the limit; raise it with --memory"


def test_each_failed_attempt_is_logged(caplog):
    def answer(worker, item, times):
        if item == 3 and times < 3:
            kind = "error" if times == 1 else "lost"
            return Event(worker, kind, error=OSError("the disk is full") if times == 1 else None)
        return fine(worker, item, times)

    list(run_on_pool(JOB, iter(range(7)), 7, Scripted(answer)))
    assert caplog.messages == [
        "item 3 failed, attempt 1: OSError: the disk is full",
        "item 3 failed, attempt 2: its worker died",
    ]


def test_a_run_in_which_everything_fails_for_one_reason_stops_early():
    def answer(worker, item, times):
        if item < 20:
            return fine(worker, item, times)
        return Event(worker, "error", error=OSError(f"no space for '/out/part-{item}.tmp'"))

    pool, outcomes = Scripted(answer), []
    run = run_on_pool(JOB, iter(range(100)), 100, pool)
    with pytest.raises(
        FailedItems, match=r"5 of 100 parts failed in a row for the same reason \(item 2\d: OSError: no"
    ):
        outcomes.extend(outcome.index for outcome in run)
    assert sorted(outcomes) == list(range(20)), "what was finished remains"
    assert max(pool.started) < 40, "no other item starts"
    assert pool.clock >= 31, "an outage may pass"


def test_an_outage_that_passes_stops_nothing():
    pool = Scripted(None)

    def answer(worker, item, times):
        broken = pool.clock < 4
        return Event(worker, "error", error=Unreachable("s3")) if broken else fine(worker, item, times)

    pool.answer = answer
    assert len(list(run_on_pool(JOB, iter(range(100)), 100, pool))) == 100


def test_items_that_fail_between_others_that_succeed_do_not_stop_the_run():
    def answer(worker, item, times):
        return fine(worker, item, times) if item % 2 else Event(worker, "error", error=InputError("damaged"))

    with pytest.raises(FailedItems, match=r"^20 of 40 parts failed repeatedly"):
        list(run_on_pool(JOB, iter(range(40)), 40, Scripted(answer)))


@pytest.mark.parametrize("error", [ZeroDivisionError("division"), RemoteDefect("ZeroDivisionError: division")])
def test_a_defect_ends_the_run_at_once_with_every_engine(error):
    pool = Scripted(lambda worker, _item, _times: Event(worker, "error", error=error))
    with pytest.raises(type(error), match="division"):
        list(run_on_pool(JOB, iter(range(7)), 7, pool))
    assert max(pool.started.values()) == 1
