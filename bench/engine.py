"""The engines: rows per second, processor time and memory of `protect` and `check --all` on many parquet files.

`engine` runs both commands on the engines `local` and `ray`, with one worker and with two, in processes of their own.
Both benchmarks also run two commands that share nothing but the machine: no engine can be much faster with two workers.
`engine_scaling` has fewer rows. It also measures what does not depend on the number of rows: to start and to end.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from vestige.files import drop_from_cache

COLUMNS = 384
LINKED = 3
LOOK = 1.0
"""Seconds between two looks at the processes."""

KERNEL = "2"
"""The parent of all threads of the kernel."""

DEFENSE = "gaussian:50"
FEW = 20_000
"""Rows of a run that consists of its start and its end: as many as the sample of `check`."""

LOOPS = {
    "hash": "from hashlib import sha256; block = bytes(2**16); work = lambda: sha256(block)",
    "copy memory": "import numpy as np; one = np.ones(2**25); two = one + 1; work = lambda: np.copyto(two, one)",
}
COUNT = """
import time
{setup}
work()
done, end = 0, time.perf_counter() + 2
while time.perf_counter() < end:
    work()
    done += 1
print(done)
"""
COMMAND = "import sys; from vestige.cli.entry import main; sys.argv[0] = 'vestige'; main()"


def run() -> Iterator[str]:
    options = parse_options()
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        folder = Path(scratch)
        write_files(folder / "in", options.rows, options.files)
        yield f"{options.rows:,} rows of {COLUMNS} columns in {options.files} parquet files"
        yield _describe_disk(folder, options.rows)
        yield from _measure_all(folder, options, dict.fromkeys(("protect", "check"), options.rows))


def run_scaling() -> Iterator[str]:
    """Fewer rows, so that all runs fit into ten quiet minutes; `check` reads each file three times."""
    options = parse_options(rows=2_500_000, files=30)
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        folder = Path(scratch)
        write_files(folder / "protect", options.rows, options.files)
        (folder / "check").mkdir()
        for path in (folder / "protect").iterdir():
            for number in range(LINKED):
                (folder / "check" / f"{number}-{path.name}").hardlink_to(path)
        yield (
            f"{options.rows:,} rows of {COLUMNS} columns in {options.files} parquet files for protect, "
            f"{LINKED} times as many for check"
        )
        yield _describe_disk(folder, options.rows)
        yield _describe_cores()
        yield from _measure_all(folder, options, {"protect": options.rows, "check": LINKED * options.rows})
        yield from _measure_starts(folder, options)


def _measure_all(folder: Path, options: argparse.Namespace, rows: dict[str, int]) -> Iterator[str]:
    """Run the commands on the engines, and compare; rows of a command are in the folder of its name, or in `in`."""
    fitted, took = fit_defense(folder), dict[tuple[str, str, int], float]()
    for command in options.command or rows:
        source = folder / command if (folder / command).is_dir() else folder / "in"
        for engine in options.engine or ("local", "ray"):
            for workers in options.workers or (1, 2):
                _forget(source)
                measured = _measure(build_command(command, engine, workers, source, fitted))
                took[command, engine, workers] = measured.seconds
                yield from _describe(command, engine, workers, rows[command], measured)
                shutil.rmtree(folder / "out", ignore_errors=True)
        if len(options.workers or (1, 2)) > 1:
            yield _measure_ceiling(command, source, folder, fitted)
    yield from _compare(took)


def _measure_ceiling(command: str, source: Path, folder: Path, fitted: Path) -> str:
    """How long two commands take for halves of the files: they share only the machine."""
    halves = [folder / f"{command}-half-{number}" for number in range(2)]
    for number, half in enumerate(halves):
        (half / "in").mkdir(parents=True)
        for path in sorted(source.iterdir())[number::2]:
            (half / "in" / path.name).hardlink_to(path)
    _forget(source)
    began = time.perf_counter()
    processes = [_start(build_command(command, "local", 1, half / "in", fitted)) for half in halves]
    for process in processes:
        _check_ended(process)
    seconds = time.perf_counter() - began
    for half in halves:
        shutil.rmtree(half)
    return f"{command}, two commands that share nothing, each with one worker and half of the files: {seconds:.1f} s"


def _measure_starts(folder: Path, options: argparse.Namespace) -> Iterator[str]:
    """The time of each command for few rows, in a file for each worker: a worker that has no file does not start."""
    for workers in options.workers or (1, 2):
        write_files(folder / f"few-{workers}", FEW, workers)
    for command in options.command or ("protect", "check"):
        for engine in options.engine or ("local", "ray"):
            for workers in options.workers or (1, 2):
                source = folder / f"few-{workers}"
                measured = _measure(build_command(command, engine, workers, source, folder / "fitted"))
                run, spent = _name_run(command, engine, workers), sum(measured.spent.values())
                services = sum(measured.services.values())
                yield (
                    f"{run}, to start and end with {FEW:,} rows: {measured.seconds:.1f} s, {spent:.1f} s of processor "
                    f"time, {services:.1f} s of Ray's own processes"
                )
                shutil.rmtree(folder / "out", ignore_errors=True)


def _forget(source: Path) -> None:
    """Drop the files from the page cache, so that every run reads them from the disk."""
    for path in source.iterdir():
        with path.open("rb") as file:
            drop_from_cache(file.fileno(), 0, 0)


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
        drop_from_cache(file.fileno(), 0, 0)
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


def _describe_cores() -> str:
    """What a second core adds for work that only computes, and for work that only moves memory."""
    gains = []
    for name, setup in LOOPS.items():
        one, two = (_count_loops(setup, processes) for processes in (1, 2))
        gains.append(f"{two / one:.2f} times the work of one if they {name}")
    return f"two processes do {', and '.join(gains)}"


def _count_loops(setup: str, processes: int) -> int:
    """How often so many processes complete a piece of work in two seconds, all together."""
    code = COUNT.format(setup=setup)
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(processes)]
    return sum(int(process.communicate()[0]) for process in started)


def parse_options(rows: int = 20_000_000, files: int = 200) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench engine")
    parser.add_argument("--rows", type=int, default=rows)
    parser.add_argument("--files", type=int, default=files)
    parser.add_argument("--folder", type=Path, help="a folder with enough space")
    parser.add_argument("--command", action="append", choices=("protect", "check"))
    parser.add_argument("--engine", action="append", choices=("local", "ray"))
    parser.add_argument("--workers", action="append", type=int)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_known_args(sys.argv[1:])[0]


def write_files(folder: Path, rows: int, files: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from vestige.stores.arrow_columns import as_column

    folder.mkdir()
    bounds = np.linspace(0, rows, files + 1, dtype=int)
    for number, (start, stop) in enumerate(pairwise(bounds.tolist())):
        vectors = np.random.default_rng(number).standard_normal((stop - start, COLUMNS), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        table = pa.table({"id": range(start, stop), "vector": as_column(vectors)})
        path = folder / f"{number:05}.parquet"
        pq.write_table(table, path, compression="none", use_dictionary=False)
        with path.open("rb") as file:
            os.fsync(file.fileno())


def fit_defense(folder: Path) -> Path:
    from vestige.defenses.catalogue import make_defense
    from vestige.defenses.saved import save_defense

    rng = np.random.default_rng(0)
    save_defense(make_defense(DEFENSE).fit(rng.standard_normal((1000, COLUMNS)), rng=rng), folder / "fitted")
    return folder / "fitted"


def build_command(command: str, engine: str, workers: int, source: Path, fitted: Path) -> list[str]:
    where = ["--engine", engine, "--workers", str(workers), "--quiet"]
    if command == "protect":
        return ["protect", str(source), f"{source.parent}/out/", "--defense", str(fitted), *where]
    return ["check", str(source), "--all", "--json", *where]


@dataclass
class Measured:
    """Seconds, and the peak memory in MiB of the command and of the largest worker of Ray.

    `spent` is the processor time of each process in seconds, as far as it was seen. `services` is that of Ray's own
    processes: the store of objects, the scheduler and the agents. `kernel` is that of the threads of the kernel, which
    write to the disk and free memory for every process.
    """

    seconds: float = 0.0
    driver: float = 0.0
    worker: float = 0.0
    kernel: float = 0.0
    spent: dict[int, float] = field(default_factory=dict)
    services: dict[int, float] = field(default_factory=dict)

    def look(self, process: int, *, ray: bool) -> None:
        """Note the memory and the processor time of a command and, on Ray, of its workers.

        What was a worker once remains one: at its start and at its end its name is another.
        """
        self.driver = max(self.driver, _read_peak(process))
        below = _list_descendants(process) if ray else []
        actors = [each for each in below if _is_actor(each)]
        self.worker = max([self.worker, *map(_read_peak, actors)])
        for each in (process, *actors):
            self.spent.setdefault(each, self.services.pop(each, 0.0))
        for each in (process, *below):
            times = self.spent if each in self.spent else self.services
            times[each] = max(times.get(each, 0.0), _read_processor_time(each))


def _measure(arguments: Sequence[str]) -> Measured:
    """Run a command, and look at its processes every second: peaks are those since their start.

    More often would take time from a second worker, since all processes of the machine are listed to find the workers.
    """
    began, found, kernel = time.perf_counter(), Measured(), _read_kernel_time()
    process = _start(arguments)
    while process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(LOOK)
        found.look(process.pid, ray="ray" in arguments)
    found.seconds = time.perf_counter() - began
    found.kernel = _read_kernel_time() - kernel
    _check_ended(process)
    return found


def _start(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.DEVNULL)


def _check_ended(process: subprocess.Popen[bytes]) -> None:
    if process.wait() not in (0, 1):
        raise RuntimeError(f"{process.args!r} ended with {process.returncode}")


def list_actors(root: int) -> list[int]:
    """The processes of Ray workers that descend from this process."""
    return [each for each in _list_descendants(root) if _is_actor(each)]


def _list_descendants(root: int) -> list[int]:
    return [each for each in _list_processes() if root in _list_ancestors(each)]


def _list_processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _is_actor(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::_Actor")
    except OSError:
        return False


def _list_ancestors(process: int) -> list[int]:
    """The parent of a process, its parent, and so on."""
    found: list[int] = []
    while state := _read_state(found[-1] if found else process):
        found.append(int(state[1]))
    return found


def _read_peak(process: int) -> float:
    """The peak resident memory of a process so far, in MiB."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def _read_processor_time(process: int) -> float:
    """The seconds that a process has spent on the processor so far."""
    fields = _read_state(process)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _read_kernel_time() -> float:
    """The seconds that all threads of the kernel have spent on the processor so far."""
    return sum(_read_processor_time(each) for each in _list_processes() if _read_state(each)[1:2] == [KERNEL])


def _read_state(process: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on; none if the process has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _name_run(command: str, engine: str, workers: int) -> str:
    return f"{command} on {engine}, {workers} worker{'s' * (workers > 1)}"


def _describe(command: str, engine: str, workers: int, rows: int, found: Measured) -> Iterator[str]:
    run = _name_run(command, engine, workers)
    worker = f", largest worker {found.worker:,.0f} MiB" if found.worker else ""
    rate = f"{rows / found.seconds:,.0f} rows per second"
    yield f"{run}: {found.seconds:.1f} s, {rate}, peak memory {found.driver:,.0f} MiB{worker}"
    spent = sum(found.spent.values())
    services = f"{sum(found.services.values()):.1f} s of Ray's own processes, " if found.services else ""
    yield f"{run}: {spent:.1f} s of processor time, {services}and {found.kernel:.1f} s of the threads of the kernel"


def _compare(took: dict[tuple[str, str, int], float]) -> Iterator[str]:
    for (command, engine, workers), seconds in took.items():
        if workers == 2 and (command, engine, 1) in took:
            yield f"{command} on {engine}, from 1 worker to 2: {took[command, engine, 1] / seconds:.2f} times as fast"
        if engine == "ray" and (command, "local", workers) in took:
            ratio = seconds / took[command, "local", workers]
            yield f"{command}, {workers} worker{'s' * (workers > 1)}: ray takes {ratio:.2f} times as long as local"
