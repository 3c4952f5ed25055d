"""Run something in a process of its own, and judge how it ended."""

import os
import re
import resource
import select
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
ACCEPTED, REFUSED = (0, 1), 2
IDLE_S, LOOK_S = 120.0, 1.0
"""Seconds over which a process must compute, and those between two looks at it."""

LEAST = 0.005
"""The share of these seconds that it must compute for; a busy machine leaves more to a process of low priority."""


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code (negative for a signal), what it printed, and its largest memory in bytes."""

    code: int
    out: str
    err: str
    memory: int = 0

    def find_fault(self, *codes: int) -> str | None:
        """What is wrong with this end; None if nothing is. `codes` are the exit codes that are right."""
        if self.code in (-signal.SIGALRM, -signal.SIGXCPU):
            return "hang"
        if self.code < 0:
            return f"crash by signal {-self.code}"
        if "Traceback (most recent call last)" in self.out + self.err or self.code == 70:
            return f"traceback: {self.err.strip().splitlines()[-2:]}"
        if CONTROL.search(self.out + self.err):
            return "control characters reached the terminal"
        if self.code not in codes:
            return f"exit code {self.code}, expected {codes}: {self.err.strip()[-200:]}"
        return None


@dataclass
class Tally:
    """Trials by kind: how many were tried, and the faults of those that were not survived."""

    tried: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[str, str, str]] = field(default_factory=list)
    handled: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, name: str, fault: str | None, count: int = 1) -> None:
        """Count a trial."""
        self.tried[kind] += count
        if fault is not None:
            self.faults.append((kind, name, fault))
            print(f"FAULT {kind}: {name}: {fault}", flush=True)

    def survived(self, kind: str) -> int:
        """Trials of a kind without a fault."""
        return self.tried[kind] - sum(fault[0] == kind for fault in self.faults)

    def render(self) -> str:
        """A table of the kinds, and each fault by name."""
        lines = [f"{'kind':<44}{'tried':>9}{'survived':>10}"]
        lines += [f"{kind:<44}{self.tried[kind]:>9,}{self.survived(kind):>10,}" for kind in sorted(self.tried)]
        lines += [f"of these, {count:,}: {what}" for what, count in sorted(self.handled.items())]
        return "\n".join([*lines, *(f"FAULT {kind}: {name}: {fault}" for kind, name, fault in self.faults)])


class Forked:
    """A function that runs in a forked process, which is ended if it hangs.

    It may compute for so many seconds, and not rest for longer than `idle`. The clock does not count: a good run takes
    long on a busy machine, and while all processes are stopped.
    """

    def __init__(self, work: Callable[[], int | None], seconds: int = 60, idle: float = IDLE_S) -> None:
        self._out, self._err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        self._idle = idle
        self.number = os.fork()
        if self.number == 0:
            _run_child(work, self._out.fileno(), self._err.fileno(), seconds)

    def send(self, number: int) -> None:
        """Send a signal to the process alone."""
        os.kill(self.number, number)

    def wait(self) -> Ended:
        """Wait until it ends, or end it if neither it nor what it started computes."""
        self._watch()
        _, status, usage = os.wait4(self.number, 0)
        with self._out as out, self._err as err:
            return Ended(os.waitstatus_to_exitcode(status), _read(out), _read(err), usage.ru_maxrss * 1024)

    def _watch(self) -> None:
        running = os.pidfd_open(self.number)
        looks, before = 0, 0.0
        try:
            while not select.select([running], [], [], LOOK_S)[0]:
                looks += 1
                if looks * LOOK_S < self._idle:
                    continue
                spent = measure_computing(self.number)
                if spent - before < LEAST * self._idle:
                    self.send(signal.SIGALRM)
                looks, before = 0, spent
        finally:
            os.close(running)


def run_forked(work: Callable[[], int | None], seconds: int = 60) -> Ended:
    """Run a function in a forked process."""
    return Forked(work, seconds).wait()


def run_vestige(*arguments: str | Path, folder: Path, seconds: int = 60, **environment: str) -> Ended:
    """Run the command in a forked process, in a folder."""
    return start_vestige(*arguments, folder=folder, seconds=seconds, **environment).wait()


def start_vestige(*arguments: str | Path, folder: Path, seconds: int = 60, **environment: str) -> Forked:
    """Start the command in a forked process, which has its libraries loaded already."""

    def work() -> int:
        from vestige.cli.entry import main

        os.chdir(folder)
        os.environ.update(environment)
        tempfile.tempdir = environment.get("TMPDIR") or tempfile.tempdir
        sys.argv = ["vestige", *map(str, arguments)]
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0)
        return 0

    return Forked(work, seconds)


def _run_child(work: Callable[[], int | None], out: int, err: int, seconds: int) -> None:
    code = 71
    try:
        os.setpgid(0, 0)
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 30))
        code = work() or 0
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def measure_computing(process: int) -> float:
    """Seconds that a process and all that it started have computed."""
    ticks = 0
    for each in _list_tree(process):
        with suppress(OSError, ProcessLookupError):
            ticks += sum(map(int, Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _list_tree(process: int) -> Iterator[int]:
    yield process
    for place in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in place.read_text().split():
                yield from _list_tree(int(child))


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether a condition comes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def _read(file) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "surrogateescape")
