"""Progress for a log file: a line when a stage has started, one when it ends, and one every 30 seconds in between."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from vestige.printable import printable
from vestige.types import Advance

EVERY_S = 30.0
"""Seconds between two lines about a stage that goes on."""

SHORTEST_S = 1.0
"""A stage of fewer seconds has no line: an audit has hundreds of them."""


@dataclass(eq=False, slots=True)
class _Stage:
    """A stage of the work: what is done of it, when it began, and whether its start was printed."""

    name: str
    total: int
    began: float
    done: int = 0
    announced: bool = False


class ProgressLines:
    """Prints the stages of the work as lines.

    A daemon thread prints the line of the current stage every 30 seconds, even if the stage reports nothing. The
    current stage is the one that started or advanced last: a stage may end early without saying so. Stages of less
    than a second are not printed; with `fleeting`, those of less than 30, which suits work of many small ones. Between
    stages, a line says that the work goes on.
    """

    def __init__(
        self, write: Callable[[str], None], *, fleeting: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._write, self._clock = write, clock
        self._shortest = EVERY_S if fleeting else SHORTEST_S
        self._lock, self._stopped = threading.RLock(), threading.Event()
        self._current: _Stage | None = None
        self._began = self._printed = clock()

    def run(self) -> None:
        """Print the lines that are due, until `stop`."""
        while not self._stopped.wait(1.0):
            self.tick()

    def stop(self) -> None:
        """End the thread that executes `run`."""
        self._stopped.set()

    def start(self, name: str, total: int) -> Advance:
        """Begin a stage of `total` steps; the function that is returned advances it."""
        stage = _Stage(printable(name), total, self._clock())
        with self._lock:
            self._current = stage
        return lambda steps: self._advance(stage, steps)

    def tick(self) -> None:
        """Print that the current stage has started, or what is done of it if nothing was printed for 30 seconds."""
        with self._lock:
            stage, now = self._current, self._clock()
            if stage is None:
                if now - self._printed >= EVERY_S:
                    self._print(f"working, {format_seconds(now - self._began)} after the start")
            elif now - max(stage.began, self._printed) >= EVERY_S:
                stage.announced = True
                self._print(f"{stage.name}: {self._describe(stage)}")
            elif not stage.announced and now - stage.began >= self._shortest:
                self._announce(stage)

    def _advance(self, stage: _Stage, steps: int) -> None:
        with self._lock:
            finished = stage.done >= stage.total
            stage.done += steps
            self._current = stage
            if stage.done >= stage.total and not finished:
                self._finish(stage)

    def _announce(self, stage: _Stage) -> None:
        stage.announced = True
        size = f", {stage.total:,} steps" if stage.total > 1 else ""
        self._print(f"{stage.name}: started{size}")

    def _finish(self, stage: _Stage) -> None:
        self._current = None
        elapsed = self._clock() - stage.began
        if stage.announced or elapsed >= self._shortest:
            self._print(f"{stage.name}: done in {format_seconds(elapsed)}")

    def _describe(self, stage: _Stage) -> str:
        """What is done, the rate and the time that remains; without a step, only the time."""
        elapsed = self._clock() - stage.began
        if stage.done == 0 or elapsed <= 0:
            return f"0 of {stage.total:,} after {format_seconds(elapsed)}"
        rate = stage.done / elapsed
        remaining = format_seconds(max(0, stage.total - stage.done) / rate)
        return (
            f"{stage.done:,} of {stage.total:,} after {format_seconds(elapsed)}, {_format_rate(rate)}, {remaining} left"
        )

    def _print(self, line: str) -> None:
        self._printed = self._clock()
        self._write(line)


def format_seconds(seconds: float) -> str:
    """A span of time: 12 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _format_rate(rate: float) -> str:
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s" if rate >= 0.1 else f"{rate * 60:.1f}/min"
