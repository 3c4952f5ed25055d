"""The workers of the engine `ray`: actors, each of which prepares the work once."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from traceback import format_exception
from typing import Any

import vestige
from vestige.engine.job import (
    SYSTEM,
    Event,
    FolderTaken,
    Job,
    RemoteDefect,
    RemoteError,
    SourceChanged,
    Unreachable,
    Work,
    Worker,
    close_work,
    describe_error,
)
from vestige.engine.threads import limit_cores
from vestige.errors import InputError, UnusableRows, VestigeError
from vestige.types import Advance

POLL = 0.5
"""Seconds between two looks at the cluster while nothing happens."""

PATIENCE = 120.0
"""Seconds without any worker after which a run gives up."""

STARTING = 60.0
"""Seconds for which an item that failed waits for a worker that starts, perhaps on another machine."""

REHIRE = 5.0
"""Seconds after which a worker that died before it could work is replaced."""

LIBRARIES = ("numpy", "pyarrow", "scipy", "scikit-learn", "torch")
"""Libraries on which the bytes of a result depend, besides Vestige itself."""


def count_resource(name: str) -> int:
    """How much of a resource, such as CPU, the whole cluster has."""
    import ray

    return int(ray.cluster_resources().get(name, 0))


def count_machines() -> int:
    """The machines of the cluster that can have a worker; at least one, since another may join."""
    import ray

    fit = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    return max(1, len(fit))


def describe_versions() -> str:
    """What must be the same on all machines for the same bytes."""
    return ", ".join((f"vestige {vestige.__version__}", *(f"{name} {version(name)}" for name in LIBRARIES)))


class _Actor:
    """What runs on the cluster."""

    def __init__(self, work: Work[Any, Any], cores: int) -> None:
        os.environ["OMP_NUM_THREADS"] = str(cores)
        self._work, self._cores, self._steps = work, cores, 0
        self._function: Callable[[Any], Any] | None = None

    def greet(self) -> tuple[str, str]:
        """The machine, and its versions."""
        import ray

        return ray.get_runtime_context().get_node_id(), describe_versions()

    def run(self, item: Any) -> tuple[Any, BaseException | None, int]:
        """The result or the error, and the steps of progress."""
        self._steps = 0
        try:
            with limit_cores(self._cores):
                if self._function is None:
                    self._function = self._work.prepare(self._count)
                return self._function(item), None, self._steps
        except Exception as error:
            return None, make_portable(error), self._steps

    def close(self) -> None:
        """Release what the work opened."""
        close_work(self._function)

    def _count(self, steps: int) -> None:
        self._steps += steps


def make_portable(error: Exception) -> VestigeError | RemoteDefect:
    """An error that any process can load, of the same kind where the kind matters."""
    if not isinstance(error, SYSTEM):
        return RemoteDefect(f"{describe_error(error)}, on a worker:\n{''.join(format_exception(error))}")
    kinds = (UnusableRows, SourceChanged, FolderTaken, Unreachable, InputError)
    kind = next((kind for kind in kinds if isinstance(error, kind)), RemoteError)
    return kind(describe_error(error))


class Actors:
    """The actors of one job. One that dies is replaced."""

    def __init__(self, job: Job[Any, Any], count: int, advance: Advance) -> None:
        import ray

        self._advance, self._card, self._next, self.size = advance, job.card, 0, count
        self._remote = ray.remote(num_cpus=1, num_gpus=int(job.card), max_restarts=0, scheduling_strategy="SPREAD")(
            _Actor
        )
        self._arguments = ray.put(job.work), job.cores
        self._actors: dict[int, Any] = {}
        self._homes: dict[int, str] = {}
        self._pending: dict[Any, int] = {}
        self._busy: set[int] = set()
        self._vacancies: list[float] = []
        self._reason = ""
        self._alone_since = self._hired_at = self.now()
        for _ in range(count):
            self._hire()

    def list_idle(self) -> Sequence[Worker]:
        """The actors that have greeted and have no item."""
        return [Worker(number, home) for number, home in self._homes.items() if number not in self._busy]

    def list_homes(self) -> frozenset[str]:
        """The machines of the actors that have greeted, and one more while others start.

        So an item that failed on the first machine waits for the others instead of failing there again. It does not
        wait for long: the cluster may have no room for all workers.
        """
        waits = len(self._actors) > len(self._homes) and self.now() - self._hired_at < STARTING
        return frozenset({*self._homes.values(), *({"starting"} if waits else ())})

    def start(self, worker: Worker, item: Any) -> None:
        """Send the item."""
        self._busy.add(worker.number)
        self._pending[self._actors[worker.number].run.remote(item)] = worker.number

    def wait(self) -> Sequence[Event]:
        """What has happened since, after at most half a second."""
        import ray

        self._fill_vacancies()
        if not self._pending:
            time.sleep(POLL)
        ready, _ = ray.wait(list(self._pending), num_returns=1, timeout=POLL)
        if ready:
            ready, _ = ray.wait(list(self._pending), num_returns=len(self._pending), timeout=0)
        events = [event for reference in ready for event in self._receive(reference)]
        self._check_alone()
        return events

    def now(self) -> float:
        """The monotonic clock."""
        return time.monotonic()

    def close(self) -> None:
        """Let idle actors release what they opened, then end all."""
        import ray

        closing = [self._actors[worker.number].close.remote() for worker in self.list_idle()]
        if closing:
            ray.wait(closing, num_returns=len(closing), timeout=5)
        for actor in self._actors.values():
            with suppress(ray.exceptions.RayError):
                ray.kill(actor)

    def _fill_vacancies(self) -> None:
        due = [moment for moment in self._vacancies if moment <= self.now()]
        for moment in due:
            self._vacancies.remove(moment)
            self._hire()

    def _hire(self) -> None:
        self._hired_at = self.now()
        number, self._next = self._next, self._next + 1
        self._actors[number] = self._remote.remote(*self._arguments)
        self._pending[self._actors[number].greet.remote()] = number

    def _receive(self, reference: Any) -> Iterator[Event]:
        import ray

        number = self._pending.pop(reference)
        try:
            received = ray.get(reference)
        except ray.exceptions.RayError as death:
            self._reason = str(death).strip().rpartition("\n")[2]
            yield from self._replace(number)
            return
        if number not in self._homes:
            self._homes[number] = _check_versions(*received)
            return
        self._busy.discard(number)
        result, error, steps = received
        worker = Worker(number, self._homes[number])
        if error is not None:
            yield Event(worker, "error", error=error)
            return
        self._advance(steps)
        yield Event(worker, "result", result)

    def _replace(self, number: int) -> Iterator[Event]:
        """Hire another actor for one that died; not at once if it never worked, as the next one may not either."""
        import ray

        with suppress(ray.exceptions.RayError):
            ray.kill(self._actors[number])
        del self._actors[number]
        home, was_busy = self._homes.pop(number, None), number in self._busy
        self._busy.discard(number)
        self._vacancies.append(self.now() + (0.0 if home is not None else REHIRE))
        if home is not None and was_busy:
            yield Event(Worker(number, home), "lost")

    def _check_alone(self) -> None:
        """Raise if no actor has been there for long."""
        if self._homes:
            self._alone_since = self.now()
        elif self.now() - self._alone_since > PATIENCE:
            raise InputError(
                f"no worker has started on the Ray cluster in {PATIENCE:.0f} seconds{self._describe_reason()}; "
                f"{self._describe_needs()}; free some, or add machines, and run the same command again to resume"
            )

    def _describe_reason(self) -> str:
        return f" (the last one died: {self._reason})" if self._reason else ""

    def _describe_needs(self) -> str:
        card = f" and one of its {count_resource('GPU')} graphics cards" if self._card else ""
        return f"each needs one of its {count_resource('CPU')} CPUs{card}"


def _check_versions(home: str, versions: str) -> str:
    if versions != describe_versions():
        raise InputError(
            f"a machine of the cluster has {versions}, and this one has {describe_versions()}; install the same on all"
        )
    return home
