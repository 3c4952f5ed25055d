"""The interface of the engines: a job over numbered items, run in any order, with exactly one outcome per item."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from vestige.engine.schedule import ALIKE, Schedule
from vestige.errors import InputError, UnusableRows, VestigeError
from vestige.types import Advance

log = logging.getLogger(__name__)

Item = TypeVar("Item")
Result = TypeVar("Result")
Item_contra = TypeVar("Item_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)

SHOWN = 5
"""The number of failed items that an error names."""


class SourceChanged(InputError):
    """The source is not what it was when the run began. Partial results must be discarded."""


class Unreachable(InputError):
    """A file or a machine cannot be reached at the moment. Trying again may help, so this never ends a run at once."""


class FolderTaken(InputError):
    """Another run writes into the folder by now. This one must not write anything more, or remove anything."""


class RemoteError(VestigeError):
    """An error of the system on a worker, or of what is installed there. Another machine tries again."""


class RemoteDefect(Exception):
    """An error of the program on a worker, with its traceback. No machine tries again: it would only repeat itself."""


SYSTEM = (VestigeError, OSError, MemoryError)
"""Errors after which an item may run again; any other is a defect, which ends the run with every engine."""


class Work(Protocol[Item_contra, Result_co]):
    """What every worker receives; a cluster sends it by pickle, so it holds names and plain data, no open files."""

    def prepare(self, advance: Advance) -> Callable[[Item_contra], Result_co]:
        """Open and load what all items need, once per worker; `advance` counts steps of progress.

        If the result has a method `close`, it is called when all items are done.
        """


@dataclass(frozen=True)
class Job(Generic[Item, Result]):
    """The work on every item, and how it may be run.

    `name` says what an item is, such as "part"; `describe` names one item in an error. Several items may run in one
    process if `threads`. A slow item may run twice at once if `repeats`: its outcome must be the same. Errors of the
    kinds in `fatal` end the run at once. `cores` is the number of cores that an item uses, the same with every engine,
    since the last bits of a matrix product may depend on it. With `card`, each worker of a cluster
    gets a graphics card of its own.
    """

    work: Work[Item, Result]
    name: str = "part"
    describe: Callable[[Item], str] = str
    threads: bool = False
    repeats: bool = False
    fatal: tuple[type[BaseException], ...] = (UnusableRows, SourceChanged, FolderTaken)
    cores: int = 1
    card: bool = False


@dataclass(frozen=True)
class Outcome(Generic[Result_co]):
    """The result of the item with this index."""

    index: int
    result: Result_co


class Engine(Protocol):
    """Runs jobs; `is_cluster` says whether work may leave this machine."""

    is_cluster: ClassVar[bool]

    def run(
        self, job: Job[Item, Result], items: Iterable[Item], total: int, advance: Advance
    ) -> Iterator[Outcome[Result]]:
        """One outcome per item, as they finish. `items` are drawn as workers get free, and held until they finish.

        Raise `FailedItems` at the end if any item has failed for good.
        """


class FailedItems(InputError):
    """Some items failed repeatedly; the others have finished."""


@dataclass(frozen=True)
class Worker:
    """A worker of a pool, and the machine that it runs on."""

    number: int
    home: str


@dataclass(frozen=True)
class Event:
    """What happened to the item of a worker: it has a result, it raised an error, or the worker died."""

    worker: Worker
    kind: Literal["result", "error", "lost"]
    result: Any = None
    error: BaseException | None = None


class Pool(Protocol):
    """The workers of an engine for one job; `size` is how many there are, or will be when all have started."""

    size: int

    def list_idle(self) -> Sequence[Worker]:
        """The workers that can start an item now."""

    def list_homes(self) -> frozenset[str]:
        """The machines that have workers."""

    def start(self, worker: Worker, item: Any) -> None:
        """Start an item on an idle worker."""

    def wait(self) -> Sequence[Event]:
        """Wait until something happens, or for a short while, since items may pause that no worker has."""

    def now(self) -> float:
        """The time in seconds, by the clock of the pool."""


def run_on_pool(job: Job[Item, Result], items: Iterable[Item], total: int, pool: Pool) -> Iterator[Outcome[Result]]:
    """Run a job on the workers of a pool; this loop is the same for every engine."""
    schedule = Schedule(total, workers=pool.size, repeats=job.repeats)
    drawn, held = iter(items), dict[int, Item]()
    failed: dict[int, str] = {}
    while not (schedule.done or schedule.hopeless):
        for worker in pool.list_idle():
            index = schedule.assign(worker.number, worker.home, pool.now(), pool.list_homes())
            if index is not None:
                pool.start(worker, held[index] if index in held else held.setdefault(index, next(drawn)))
        for event in pool.wait():
            index = _take(event, schedule, job, held, pool.now())
            if index is None:
                continue
            item = held.pop(index)
            if event.kind == "result":
                yield Outcome(index, event.result)
            else:
                failed[index] = job.describe(item)
    if failed:
        reasons = [(failed[index], schedule.failed[index]) for index in sorted(failed)]
        describe = _describe_failures if schedule.done else _describe_stop
        raise FailedItems(describe(job.name, reasons, total))


def _raise_if_final(error: BaseException | None, job: Job[Item, Result]) -> None:
    """Raise a defect, a user's stop, or what the job calls fatal; what another machine or moment may mend is not."""
    if error is None or isinstance(error, Unreachable | RemoteError):
        return
    if not isinstance(error, SYSTEM) or isinstance(error, (KeyboardInterrupt, *job.fatal)):
        raise error


def _log_failure(event: Event, schedule: Schedule, job: Job[Item, Result], held: Mapping[int, Item]) -> None:
    """Log an attempt that failed: the item, which attempt it was, and why."""
    index = schedule.find(event.worker.number)
    if event.kind == "result" or index is None:
        return
    reason = "its worker died" if event.error is None else describe_error(event.error)
    log.warning("%s failed, attempt %d: %s", job.describe(held[index]), schedule.count_attempts(index), reason)


def _take(event: Event, schedule: Schedule, job: Job[Item, Result], held: Mapping[int, Item], now: float) -> int | None:
    """Report an event to the schedule; the item if this is its end."""
    _raise_if_final(event.error, job)
    _log_failure(event, schedule, job, held)
    if event.kind == "result":
        return schedule.finish(event.worker.number, now)
    if event.kind == "lost":
        return schedule.lose(event.worker.number)
    assert event.error is not None
    may_pass = isinstance(event.error, Unreachable | RemoteError | OSError | MemoryError)
    return schedule.fail(event.worker.number, describe_error(event.error), now, may_pass=may_pass)


def close_work(function: object) -> None:
    """Release what `prepare` opened, if its result has a method `close`."""
    close = getattr(function, "close", None)
    if close is not None:
        close()


def describe_error(error: BaseException) -> str:
    """An error in a sentence; the kind is named unless Vestige raised it on purpose."""
    if isinstance(error, MemoryError):
        return "it needs more memory than the limit; raise it with --memory"
    return str(error) if isinstance(error, VestigeError) else f"{type(error).__name__}: {error}"


def _describe_stop(name: str, failed: Sequence[tuple[str, str]], total: int) -> str:
    """Why a run stopped before all items were tried."""
    item, reason = failed[-1]
    return (
        f"{ALIKE} of {total} {name}s failed in a row for the same reason ({item}: {reason}), so the run has stopped; "
        "what was finished before remains; correct this and run the same command again to resume"
    )


def _describe_failures(name: str, failed: Sequence[tuple[str, str]], total: int) -> str:
    """The first items that failed, those with the same reason together."""
    items: dict[str, list[str]] = {}
    for item, reason in failed[:SHOWN]:
        items.setdefault(reason, []).append(item)
    shown = "; ".join(f"{' and '.join(alike)}: {reason}" for reason, alike in items.items())
    more = f"; and {len(failed) - SHOWN} more" if len(failed) > SHOWN else ""
    finished = f"the other {total - len(failed)} are finished" if len(failed) < total else "none is finished"
    return (
        f"{len(failed)} of {total} {name}s failed repeatedly ({shown}{more}); {finished}; correct this and run the "
        "same command again to resume"
    )
