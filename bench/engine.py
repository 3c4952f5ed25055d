"""The engines: rows per second and memory of `protect` and `check --all` on many parquet files; kills; a simulation.

`engine` runs both commands on the engines `local` and `ray`, with one worker and with two, in processes of their own.
`engine_memory` does the same without a disk, which may be slower than two workers: files in memory, of which ten are
one, and fewer rows for `protect`, whose output is in memory too.
`engine_soak` kills workers and drivers of a Ray cluster on this machine at random until a run is complete, and compares
the bytes with those of a run without kills. `engine_simulation` drives the real schedule with a virtual clock, for
slow and failing machines; its figures do not depend on the machine that it runs on.
"""

import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from vestige.engine.job import Event, FailedItems, Job, Worker, run_on_pool
from vestige.protect.tables import BLOCK_VALUES, PART_BLOCKS

COLUMNS = 384
LINKED = 10
FEWEST_KILLS = 20
DEFENSE = "gaussian:50"
COMMAND = "import sys; from vestige.cli.entry import main; sys.argv[0] = 'vestige'; main()"


def run() -> Iterator[str]:
    options = _parse_options()
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        folder = Path(scratch)
        _write_files(folder / "in", options.rows, options.files)
        yield f"{options.rows:,} rows of {COLUMNS} columns in {options.files} parquet files"
        yield _describe_disk(folder, options.rows)
        yield from _measure_all(folder, options, dict.fromkeys(("protect", "check"), options.rows))


def run_in_memory() -> Iterator[str]:
    """All rows for `check`; a quarter of them for `protect`."""
    options = _parse_options()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
        folder, part = Path(scratch), options.rows // options.files
        _write_files(folder / "first", part * (options.files // LINKED), options.files // LINKED)
        rows = {}
        for command, files in (("check", options.files), ("protect", options.files // 4)):
            (folder / command).mkdir()
            for number, path in zip(range(files), cycle(sorted((folder / "first").iterdir())), strict=False):
                (folder / command / f"{number:05}.parquet").hardlink_to(path)
            rows[command] = files * part
        yield f"{rows['check']:,} rows of {COLUMNS} columns in {options.files} parquet files in memory"
        yield f"{rows['protect']:,} of these rows for protect"
        yield from _measure_all(folder, options, rows)


def _measure_all(folder: Path, options: argparse.Namespace, rows: dict[str, int]) -> Iterator[str]:
    """Run the commands on the engines, and compare; rows of a command are in the folder of its name, or in `in`."""
    fitted, took = _fit(folder), dict[tuple[str, str, int], float]()
    for command in options.command or rows:
        source = folder / command if (folder / command).is_dir() else folder / "in"
        for engine in options.engine or ("local", "ray"):
            for workers in options.workers or (1, 2):
                measured = _measure(_build_command(command, engine, workers, source, fitted))
                took[command, engine, workers] = measured.seconds
                yield _describe(command, engine, workers, rows[command], measured)
                shutil.rmtree(folder / "out", ignore_errors=True)
    yield from _compare(took)


def _describe_disk(folder: Path, rows: int) -> str:
    """How fast the disk writes a gigabyte, and reads one that is not in memory; all rows move once per pass."""
    place, block = folder / "disk", os.urandom(2**24)
    began = time.perf_counter()
    with place.open("wb") as file:
        for _ in range(64):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
        written = time.perf_counter() - began
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    began = time.perf_counter()
    with place.open("rb") as file:
        while file.read(2**24):
            pass
    read = time.perf_counter() - began
    place.unlink()
    size, moved = 64 * len(block) / 1e6, 4e-6 * COLUMNS * rows
    return (
        f"the disk writes {size / written:,.0f} and reads {size / read:,.0f} MB per second: no run can take less than "
        f"{moved * read / size:,.0f} s to read the rows, and {moved * written / size:,.0f} s to write them"
    )


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench engine")
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--folder", type=Path, help="a folder with enough space")
    parser.add_argument("--command", action="append", choices=("protect", "check"))
    parser.add_argument("--engine", action="append", choices=("local", "ray"))
    parser.add_argument("--workers", action="append", type=int)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_known_args(sys.argv[1:])[0]


def _write_files(folder: Path, rows: int, files: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from vestige.stores.arrow_columns import as_column

    folder.mkdir()
    bounds = np.linspace(0, rows, files + 1, dtype=int)
    for number, (start, stop) in enumerate(pairwise(bounds.tolist())):
        vectors = np.random.default_rng(number).standard_normal((stop - start, COLUMNS), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        table = pa.table({"id": range(start, stop), "vector": as_column(vectors)})
        pq.write_table(table, folder / f"{number:05}.parquet", compression="none", use_dictionary=False)


def _fit(folder: Path) -> Path:
    from vestige.defenses.catalogue import make_defense
    from vestige.defenses.saved import save_defense

    rng = np.random.default_rng(0)
    save_defense(make_defense(DEFENSE).fit(rng.standard_normal((1000, COLUMNS)), rng=rng), folder / "fitted")
    return folder / "fitted"


def _build_command(command: str, engine: str, workers: int, source: Path, fitted: Path) -> list[str]:
    where = ["--engine", engine, "--workers", str(workers), "--quiet"]
    if command == "protect":
        return ["protect", str(source), f"{source.parent}/out/", "--defense", str(fitted), *where]
    return ["check", str(source), "--all", "--json", *where]


@dataclass
class Measured:
    """Seconds, and the peak memory in MiB of the command and of the largest worker of Ray."""

    seconds: float
    driver: float = 0.0
    worker: float = 0.0


def _measure(arguments: Sequence[str]) -> Measured:
    """Run a command, and look at the memory of its processes every tenth of a second."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.DEVNULL)
    found = Measured(0.0)
    while process.poll() is None:
        found.driver = max(found.driver, _read_peak(process.pid))
        found.worker = max([found.worker, *map(_read_peak, list_actors())])
        time.sleep(0.1)
    found.seconds = time.perf_counter() - began
    if process.returncode not in (0, 1):
        raise RuntimeError(f"vestige {' '.join(arguments)} ended with {process.returncode}")
    return found


def list_actors() -> list[int]:
    """The processes of Ray workers on this machine."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                if (entry / "cmdline").read_bytes().startswith(b"ray::_Actor"):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def _read_peak(process: int) -> float:
    """The peak resident memory of a process so far, in MiB."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def _describe(command: str, engine: str, workers: int, rows: int, found: Measured) -> str:
    worker = f", largest worker {found.worker:,.0f} MiB" if found.worker else ""
    return (
        f"{command} on {engine}, {workers} worker{'s' * (workers > 1)}: {found.seconds:.1f} s, "
        f"{rows / found.seconds:,.0f} rows per second, peak memory {found.driver:,.0f} MiB{worker}"
    )


def _compare(took: dict[tuple[str, str, int], float]) -> Iterator[str]:
    for (command, engine, workers), seconds in took.items():
        if workers == 2 and (command, engine, 1) in took:
            yield f"{command} on {engine}, from 1 worker to 2: {took[command, engine, 1] / seconds:.2f} times as fast"
        if engine == "ray" and (command, "local", workers) in took:
            ratio = seconds / took[command, "local", workers]
            yield f"{command}, {workers} worker{'s' * (workers > 1)}: ray takes {ratio:.2f} times as long as local"


def run_soak() -> Iterator[str]:
    """Kill workers and drivers until a run is complete after at least 20 kills."""
    options = _parse_options()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        folder = Path(scratch)
        _write_files(folder / "in", min(options.rows, 400_000), min(options.files, 100))
        fitted = _fit(folder)
        subprocess.run(
            [
                sys.executable,
                "-c",
                COMMAND,
                "protect",
                str(folder / "in"),
                f"{folder}/whole/",
                "--defense",
                str(fitted),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        kills, runs, same = {"worker": 0, "driver": 0}, 0, 0
        while sum(kills.values()) < FEWEST_KILLS or not runs:
            shutil.rmtree(folder / "out", ignore_errors=True)
            _run_with_kills(_build_command("protect", "ray", 2, folder / "in", fitted), kills, rng)
            runs += 1
            same += _digest(folder / "out") == _digest(folder / "whole")
        yield (
            f"{sum(kills.values())} kills ({kills['worker']} of workers, {kills['driver']} of drivers) in {runs} runs: "
            f"{same} of {runs} ended with the bytes of a run without kills"
        )


def _run_with_kills(arguments: list[str], kills: dict[str, int], rng: random.Random) -> None:
    """Run a command to its end, however often it is killed: up to three times itself, and its workers."""
    deaths = 0
    while True:
        process = subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.DEVNULL)
        while process.poll() is None:
            time.sleep(rng.uniform(0.3, 1.5))
            actors = list_actors()
            if not actors or process.poll() is not None:
                continue
            if deaths < 3 and rng.random() < 0.15:
                os.kill(process.pid, signal.SIGKILL)
                kills["driver"] += 1
                deaths += 1
            else:
                _kill(rng.choice(actors))
                kills["worker"] += 1
        if process.returncode == 0:
            return
        if process.returncode != -signal.SIGKILL:
            raise RuntimeError(f"the run ended with {process.returncode}")


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


@dataclass
class VirtualPool:
    """Workers of a simulated cluster with a virtual clock, driven by the loop of the real engines.

    An item takes `seconds`, longer on a slow machine. A machine dies on average every `lifetime` seconds, and another
    takes its place after `startup` seconds. One worker per machine.
    """

    workers: int
    seconds: float
    rng: np.random.Generator
    slow_share: float = 0.0
    slow_factor: float = 1.0
    lifetime: float = float("inf")
    startup: float = 60.0
    clock: float = 0.0
    deaths: int = 0
    started: int = 0
    _next: int = 0
    _speed: dict[int, float] = field(default_factory=dict)
    _dies: dict[int, float] = field(default_factory=dict)
    _joins: dict[int, float] = field(default_factory=dict)
    _ends: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for _ in range(self.workers):
            self._hire(0.0)

    def list_idle(self) -> Sequence[Worker]:
        """Workers that have joined and have no item."""
        return [
            Worker(number, str(number))
            for number, joins in self._joins.items()
            if joins <= self.clock and number not in self._ends
        ]

    def list_homes(self) -> frozenset[str]:
        """One machine per worker."""
        return frozenset(map(str, self._joins))

    def start(self, worker: Worker, item: Any) -> None:  # noqa: ARG002
        """Note when the item will end."""
        self.started += 1
        jitter = float(self.rng.uniform(0.9, 1.1))
        self._ends[worker.number] = self.clock + self.seconds * self._speed[worker.number] * jitter

    def wait(self) -> Sequence[Event]:
        """Advance the clock to whatever happens next."""
        ends = [(self._ends[number], 0, number) for number in self._ends]
        dies = [(moment, 1, number) for number, moment in self._dies.items()]
        joins = [(moment, 2, number) for number, moment in self._joins.items() if moment > self.clock]
        polls = [(self.clock + self.seconds / 10, 3, -1)] if self.list_idle() else []
        self.clock, kind, number = min([*ends, *dies, *joins, *polls])
        worker = Worker(number, str(number))
        if kind == 0:
            del self._ends[number]
            return [Event(worker, "result", number)]
        return self._die(worker) if kind == 1 else []

    def now(self) -> float:
        """The virtual clock."""
        return self.clock

    def _hire(self, joins: float) -> None:
        number, self._next = self._next, self._next + 1
        self._joins[number] = joins
        self._speed[number] = self.slow_factor if self.rng.random() < self.slow_share else 1.0
        if self.lifetime < float("inf"):
            self._dies[number] = joins + float(self.rng.exponential(self.lifetime))

    def _die(self, worker: Worker) -> list[Event]:
        self.deaths += 1
        for known in (self._speed, self._dies, self._joins):
            del known[worker.number]
        self._hire(self.clock + self.startup)
        return [Event(worker, "lost")] if self._ends.pop(worker.number, None) is not None else []


@dataclass(frozen=True)
class Simulated:
    """The time of a run as a multiple of the ideal one, starts of parts, deaths of machines, and failed parts."""

    ratio: float
    started: int
    deaths: int
    failed: bool


def simulate(parts: int, pool: VirtualPool, *, repeats: bool = True) -> Simulated:
    """Run so many parts on a simulated cluster."""
    job: Job[Any, Any] = Job(work=None, repeats=repeats, window=max(256, 4 * pool.workers))  # type: ignore[arg-type]
    failed = False
    try:
        for _ in run_on_pool(job, range(parts), parts, pool):
            pass
    except FailedItems:
        failed = True
    ideal = pool.seconds * -(-parts // pool.workers)
    return Simulated(pool.clock / ideal, pool.started, pool.deaths, failed)


CASES: dict[str, dict[str, Any]] = {
    "all machines alike": {},
    "5% of the machines 4 times slower": {"slow_share": 0.05, "slow_factor": 4.0},
    "5% of the machines 20 times slower": {"slow_share": 0.05, "slow_factor": 20.0},
    "each machine dies every 2 hours": {"lifetime": 7200.0},
    "each machine dies every 10 minutes": {"lifetime": 600.0},
    "both: 5% 20 times slower, death every 10 minutes": {"slow_share": 0.05, "slow_factor": 20.0, "lifetime": 600.0},
}


def run_simulation() -> Iterator[str]:
    """10^8 x 768 in the parts that `protect` makes of them, 30 seconds each, on 32 and on 320 workers."""
    rows = PART_BLOCKS * (BLOCK_VALUES // 768)
    parts = -(-(10**8) // rows)
    yield (
        f"{parts:,} parts of {rows:,} rows, 30 s each; a machine that dies is replaced after 60 s; time as a multiple "
        "of the ideal one"
    )
    for workers in (32, 320):
        for name, options in CASES.items():
            found = [
                simulate(parts, VirtualPool(workers, 30.0, np.random.default_rng(0), **options), repeats=repeats)
                for repeats in (False, True)
            ]
            yield (
                f"{workers} workers, {name}: {found[0].ratio:.2f} without repeats, {found[1].ratio:.2f} with; "
                f"{found[1].deaths:,} deaths, {found[1].started - parts:,} parts started again, "
                f"{'some parts failed' if found[1].failed else 'no part failed'}"
            )
