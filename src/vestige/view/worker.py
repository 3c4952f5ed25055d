"""Long work in the background, one job after another, with progress that any thread can read."""

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Literal

from vestige.errors import VestigeError
from vestige.types import Advance, Progress

log = logging.getLogger(__name__)

State = Literal["waiting", "running", "done", "failed"]


@dataclass
class FitStep:
    """A piece of work for one subject, such as an adversary; `error` says why it failed.

    Work that is `urgent` runs before all other work that waits.
    """

    subject: str
    label: str
    work: Callable[[Progress], None]
    urgent: bool = False
    state: State = "waiting"
    error: str = ""


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """What the running job is doing, and how far it is."""

    label: str
    task: str
    done: int
    total: int


@dataclass
class FitWorker:
    """Runs jobs in one thread, urgent ones first. If one fails, those of its subject that wait for it fail as well."""

    jobs: list[FitStep] = field(default_factory=list)
    _queue: deque[FitStep] = field(default_factory=deque)
    _change: Condition = field(default_factory=Condition)
    _task: tuple[str, int] = ("", 0)
    _done: int = 0
    _started: bool = False

    def add(self, *jobs: FitStep) -> None:
        """Queue jobs; the thread starts with the first."""
        with self._change:
            self.jobs += jobs
            self._queue = deque(sorted([*self._queue, *jobs], key=lambda job: not job.urgent))
            self._change.notify_all()
            started, self._started = self._started, True
        if not started:
            Thread(target=self._run, name="fitting", daemon=True).start()

    def list_jobs(self, subject: str) -> list[FitStep]:
        """The jobs of a subject, in order."""
        with self._change:
            return [job for job in self.jobs if job.subject == subject]

    def forget(self, subject: str) -> bool:
        """Forget the jobs of a subject if they have all ended; False if some have not."""
        with self._change:
            ended = all(job.state in ("done", "failed") for job in self.jobs if job.subject == subject)
            if ended:
                self.jobs = [job for job in self.jobs if job.subject != subject]
            return ended

    @property
    def progress(self) -> TaskProgress | None:
        """The progress of the running job; None while nothing runs."""
        with self._change:
            running = next((job for job in self.jobs if job.state == "running"), None)
            return None if running is None else TaskProgress(running.label, self._task[0], self._done, self._task[1])

    def wait(self, seconds: float) -> bool:
        """Wait until every job has ended; False if that takes longer."""
        with self._change:
            return self._change.wait_for(
                lambda: all(job.state in ("done", "failed") for job in self.jobs), timeout=seconds
            )

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: bool(self._queue))
                job = self._queue.popleft()
                if job.state == "failed":
                    continue
                job.state, self._task, self._done = "running", (job.label, 0), 0
            error = self._try(job)
            with self._change:
                job.state, job.error = ("failed", error) if error else ("done", "")
                for waiting in self.jobs if error else ():
                    if waiting.subject == job.subject and waiting.state == "waiting":
                        waiting.state, waiting.error = "failed", error
                self._change.notify_all()

    def _try(self, job: FitStep) -> str:
        """Run a job; what went wrong, or nothing."""
        try:
            job.work(self._track)
        except VestigeError as error:
            return str(error)
        except Exception as error:
            log.exception("%s failed", job.label)
            return f"{job.label} failed ({type(error).__name__}: {error}); this is a defect of Vestige"
        return ""

    def _track(self, task: str, total: int) -> Advance:
        with self._change:
            self._task, self._done = (task, total), 0

        def advance(steps: int) -> None:
            with self._change:
                if self._task == (task, total):
                    self._done += steps

        return advance
