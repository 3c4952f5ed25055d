"""The engine `local`: items in threads of this process, or one after the other in the thread of the caller."""

import queue
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from threading import Lock, local
from typing import Any, ClassVar

from vestige.engine.job import Event, Item, Job, Outcome, Result, Worker, close_work, run_on_pool
from vestige.engine.threads import count_cores, one_core_each
from vestige.types import Advance

HOME = "this machine"

POLL = 0.1
"""Seconds between two looks at items that pause."""


@dataclass(frozen=True)
class LocalEngine:
    """Runs jobs in this process, with as many `workers` as cores unless a number is given."""

    workers: int | None = None
    is_cluster: ClassVar[bool] = False

    def run(
        self, job: Job[Item, Result], items: Iterable[Item], total: int, advance: Advance
    ) -> Iterator[Outcome[Result]]:
        """Run the job in this thread, or in several."""
        workers = min(self.workers or count_cores(), total) if job.threads else 1
        if not total:
            return
        if workers == 1:
            inline = _Inline(job, advance)
            with one_core_each() if job.threads else nullcontext():
                try:
                    yield from run_on_pool(job, items, total, inline)
                finally:
                    close_work(inline.function)
            return
        with one_core_each(), ThreadPoolExecutor(workers) as executor:
            pool = _Threads(job, _lock(advance), executor, workers)
            try:
                yield from run_on_pool(job, items, total, pool)
            finally:
                executor.shutdown(cancel_futures=True)
                for function in pool.functions:
                    close_work(function)


LOCAL = LocalEngine()
"""The default engine."""


class _Inline:
    """One worker: the thread of the caller, so that an interrupt stops the work itself."""

    size = 1

    def __init__(self, job: Job[Any, Any], advance: Advance) -> None:
        self._job, self._advance = job, advance
        self.function: Callable[[Any], Any] | None = None
        self._item: list[Any] = []

    def list_idle(self) -> Sequence[Worker]:
        """The only worker: it has no item except within `wait`."""
        return (Worker(0, HOME),)

    def list_homes(self) -> frozenset[str]:
        """This machine."""
        return frozenset((HOME,))

    def start(self, worker: Worker, item: Any) -> None:  # noqa: ARG002
        """Take the item."""
        self._item = [item]

    def wait(self) -> Sequence[Event]:
        """Work on the item, if there is one."""
        if not self._item:
            time.sleep(POLL)
            return ()
        if self.function is None:
            self.function = self._job.work.prepare(self._advance)
        return (_try(self.function, self._item.pop(), Worker(0, HOME)),)

    def now(self) -> float:
        """The monotonic clock."""
        return time.monotonic()


class _Threads:
    """One worker per thread, each prepared on its own."""

    def __init__(self, job: Job[Any, Any], advance: Advance, executor: ThreadPoolExecutor, workers: int) -> None:
        self._job, self._advance, self._executor = job, advance, executor
        self.size, self._idle = workers, [Worker(number, HOME) for number in range(workers)]
        self._prepared = local()
        self.functions: list[Callable[[Any], Any]] = []
        self._events: queue.SimpleQueue[Event | BaseException] = queue.SimpleQueue()

    def list_idle(self) -> Sequence[Worker]:
        """The workers without an item."""
        return tuple(self._idle)

    def list_homes(self) -> frozenset[str]:
        """This machine."""
        return frozenset((HOME,))

    def start(self, worker: Worker, item: Any) -> None:
        """Queue the item for a thread."""
        self._idle.remove(worker)
        self._executor.submit(self._work, worker, item)

    def wait(self) -> Sequence[Event]:
        """Wait for the next event, or for a short while."""
        try:
            event = self._events.get(timeout=POLL)
        except queue.Empty:
            return ()
        if isinstance(event, BaseException):
            raise event
        self._idle.append(event.worker)
        return (event,)

    def now(self) -> float:
        """The monotonic clock."""
        return time.monotonic()

    def _work(self, worker: Worker, item: Any) -> None:
        try:
            if not hasattr(self._prepared, "function"):
                self._prepared.function = self._job.work.prepare(self._advance)
                self.functions.append(self._prepared.function)
            self._events.put(_try(self._prepared.function, item, worker))
        except BaseException as error:
            self._events.put(error)


def _try(function: Callable[[Any], Any], item: Any, worker: Worker) -> Event:
    """The event of an item. An interrupt is none."""
    try:
        return Event(worker, "result", function(item))
    except Exception as error:
        return Event(worker, "error", error=error)


def _lock(advance: Advance) -> Advance:
    """The same function for several threads."""
    lock = Lock()

    def advance_locked(steps: int) -> None:
        with lock:
            advance(steps)

    return advance_locked
