"""Items in threads, or in the thread of the caller."""

import threading
from dataclasses import dataclass, field

import pytest
from threadpoolctl import threadpool_info

from vestige.engine import schedule
from vestige.engine.job import FailedItems, Job, Unreachable
from vestige.engine.local_engine import LocalEngine
from vestige.errors import InputError


@dataclass
class Doubling:
    """Doubles; notes who prepared and closed, and where items ran."""

    prepared: list = field(default_factory=list)
    closed: list = field(default_factory=list)
    threads: set = field(default_factory=set)

    def prepare(self, advance):
        self.prepared.append(threading.get_ident())
        work = self

        class Function:
            def __call__(self, item):
                work.threads.add(threading.get_ident())
                if item == "defect":
                    raise ZeroDivisionError
                if item == "refused":
                    raise InputError("refused")
                advance(1)
                return 2 * item

            def close(self):
                work.closed.append(1)

        return Function()


def run(engine, work, items, **options):
    steps = []
    outcomes = list(engine.run(Job(work, **options), items, len(items), steps.append))
    return {each.index: each.result for each in outcomes}, sum(steps)


@pytest.mark.parametrize("threads", [False, True])
@pytest.mark.parametrize("workers", [1, 3])
def test_every_item_has_one_result_and_one_step(threads, workers):
    work = Doubling()
    assert run(LocalEngine(workers), work, range(20), threads=threads) == ({item: 2 * item for item in range(20)}, 20)
    assert len(work.prepared) == len(work.closed) <= (workers if threads else 1)


def test_without_threads_the_caller_works_so_that_an_interrupt_reaches_it():
    work = Doubling()
    run(LocalEngine(3), work, range(4), threads=False)
    assert work.threads == {threading.get_ident()}


@pytest.mark.parametrize("threads", [False, True])
def test_a_defect_is_raised_as_it_is_and_input_errors_are_collected(threads):
    with pytest.raises(ZeroDivisionError):
        run(LocalEngine(2), Doubling(), ["defect", 1, 2], threads=threads)
    work = Doubling()
    with pytest.raises(FailedItems, match=r"1 of 3 parts failed repeatedly \(refused: refused\)"):
        run(LocalEngine(2), work, ["refused", 1, 2], threads=threads)
    assert work.closed


@pytest.mark.parametrize("threads", [False, True])
def test_an_item_that_pauses_runs_when_nothing_else_does(threads, monkeypatch):
    monkeypatch.setattr(schedule, "PAUSES", (0.2, 0.2))
    failures = [Unreachable("the connection broke")] * 2

    class Breaking:
        def prepare(self, _advance):
            def work(item):
                if item == 1 and failures:
                    raise failures.pop()
                return item

            return work

    assert run(LocalEngine(2), Breaking(), range(3), threads=threads)[0] == {0: 0, 1: 1, 2: 2}


def test_threads_compute_with_one_core_each():
    class Look:
        def prepare(self, _advance):
            return lambda _item: {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}

    found, _ = run(LocalEngine(2), Look(), range(4), threads=True)
    assert set().union(*found.values()) == {1}


def test_no_items_need_no_workers():
    assert run(LocalEngine(2), Doubling(), []) == ({}, 0)
