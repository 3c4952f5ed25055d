"""Which item a worker gets next: retries, repeats of slow items, and failures. Without clocks, threads or processes."""

import re
from bisect import insort
from collections.abc import Hashable
from dataclasses import dataclass, field

MOST_ERRORS, MOST_LOSSES = 4, 8
"""An item has failed after so many errors, or after so many workers died with it."""

PAUSES = 1.0, 5.0, 25.0
"""Seconds until an item runs again after its first, second and third error, if the cause may pass by itself."""

SLOW, FEWEST_FINISHED = 2.0, 3
"""An item is slow if it has run this many times the median, once so many have finished."""

ALIKE = 5
"""After so many items in a row that failed for the same reason no other item starts, until one succeeds."""

PARTICULAR = re.compile(r"'[^']*'|\S*\d\S*")
"""What the reasons of two items may differ in although the cause is the same: names and numbers."""

AHEAD, FEWEST_AHEAD = 8, 64
"""No item starts further ahead of the first unfinished one than so many items per worker, or so many in all."""


@dataclass
class _Item:
    errors: list[str] = field(default_factory=list)
    losses: int = 0
    failed_at: set[str] = field(default_factory=set)
    workers: set[Hashable] = field(default_factory=set)
    began: float = 0.0
    ready: float = 0.0


@dataclass(frozen=True)
class _Assignment:
    index: int
    home: str
    began: float


class Schedule:
    """The state of `total` items. A caller reports what happens to workers; times are whatever its clock says.

    `workers` is how many there are or will be: the more there are, the further ahead of the first unfinished item they
    may work, so that none of them is idle.
    `failed` holds the reason of every item that has failed for good. `repeats` permits a second worker for a slow item.
    If several items in a row fail for the same reason, with no success in between, the cause is not in the items: no
    other item starts then, and when one of these has failed for good, the run should stop.
    """

    def __init__(self, total: int, *, workers: int = 1, repeats: bool = False) -> None:
        self._total, self._window, self._repeats = total, max(FEWEST_AHEAD, AHEAD * workers), repeats
        self._next = 0
        self._again: list[int] = []
        self._open: dict[int, _Item] = {}
        self._running: dict[Hashable, _Assignment] = {}
        self._durations: list[float] = []
        self._finished = 0
        self._alike: set[int] = set()
        self._cause = ""
        self.failed: dict[int, str] = {}

    @property
    def done(self) -> bool:
        """Whether every item has finished or failed."""
        return self._finished + len(self.failed) == self._total

    @property
    def hopeless(self) -> bool:
        """Whether several items in a row failed for the same reason, one of them for good, and others wait for them."""
        return self._blocked and self._next < self._total and not self._alike.isdisjoint(self.failed)

    @property
    def _blocked(self) -> bool:
        return len(self._alike) >= ALIKE

    def find(self, worker: Hashable) -> int | None:
        """The item that this worker has, unless another worker ended it."""
        running = self._running.get(worker)
        return running.index if running is not None and running.index in self._open else None

    def count_attempts(self, index: int) -> int:
        """How often an open item was tried without a result, and the attempt that runs."""
        return len(self._open[index].errors) + self._open[index].losses + 1

    def assign(self, worker: Hashable, home: str, now: float, homes: frozenset[str]) -> int | None:
        """The item that this idle worker starts now, or None; `homes` are the machines that have workers.

        Items that must run again come first, after their pause, on a machine where they have not failed, unless
        they failed on all.
        """
        index = self._find_again(home, homes, now)
        if index is None and not self._blocked and self._next < min(self._total, self._first_open() + self._window):
            index, self._next = self._next, self._next + 1
            self._open[index] = _Item()
        if index is None and self._repeats:
            index = self._find_slow(now)
        if index is not None:
            item = self._open[index]
            item.began = now if not item.workers else item.began
            item.workers.add(worker)
            self._running[worker] = _Assignment(index, home, now)
        return index

    def finish(self, worker: Hashable, now: float) -> int | None:
        """The item that this worker finished; None if another worker did so before."""
        done = self._running.pop(worker)
        self._alike.clear()
        if done.index not in self._open:
            return None
        del self._open[done.index]
        self._finished += 1
        insort(self._durations, now - done.began)
        if done.index in self._again:
            self._again.remove(done.index)
        return done.index

    def fail(self, worker: Hashable, reason: str, now: float, *, may_pass: bool = False) -> int | None:
        """Count an error of the item that this worker had; the item if it has now failed for good.

        If the cause `may_pass`, as that of a broken connection, the item pauses before it runs again.
        """
        tried = self._running.pop(worker)
        if tried.index not in self._open:
            return None
        item = self._open[tried.index]
        item.errors.append(reason)
        item.failed_at.add(tried.home)
        item.ready = now + PAUSES[min(len(item.errors), len(PAUSES)) - 1] if may_pass else now
        return self._give_up_or_retry(tried.index, worker, len(item.errors) >= MOST_ERRORS, reason)

    def lose(self, worker: Hashable) -> int | None:
        """The worker died; the item that it had, if the item has now failed for good."""
        tried = self._running.pop(worker, None)
        if tried is None or tried.index not in self._open:
            return None
        item = self._open[tried.index]
        item.losses += 1
        reason = f"{item.losses} workers died with it"
        return self._give_up_or_retry(tried.index, worker, item.losses >= MOST_LOSSES, reason)

    def _give_up_or_retry(self, index: int, worker: Hashable, give_up: bool, reason: str) -> int | None:
        item = self._open[index]
        item.workers.discard(worker)
        self._note(index, reason)
        if give_up:
            del self._open[index]
            self.failed[index] = reason
            return index
        if not item.workers:
            self._again.append(index)
        return None

    def _note(self, index: int, reason: str) -> None:
        """Count the items in a row that failed for the same reason."""
        cause = PARTICULAR.sub("", reason)
        if cause != self._cause:
            self._alike.clear()
        self._cause = cause
        self._alike.add(index)

    def _first_open(self) -> int:
        return min(self._open, default=self._next)

    def _find_again(self, home: str, homes: frozenset[str], now: float) -> int | None:
        for place, index in enumerate(self._again):
            item = self._open[index]
            if item.ready <= now and (home not in item.failed_at or homes <= item.failed_at):
                return self._again.pop(place)
        return None

    def _find_slow(self, now: float) -> int | None:
        if len(self._durations) < FEWEST_FINISHED:
            return None
        limit = SLOW * self._durations[len(self._durations) // 2]
        slow = [
            (item.began, index)
            for index, item in self._open.items()
            if len(item.workers) == 1 and now - item.began > limit
        ]
        return min(slow)[1] if slow else None
