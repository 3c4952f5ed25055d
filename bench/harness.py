"""Time our code and a peer in turns, so that other load on the machine affects both."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from vestige.case.codec import dumps, to_plain
from vestige.files import writable_folder, write_whole
from vestige.papers.provenance import describe_environment
from vestige.papers.results import FOLDER

SCHEMA = 1

AVX2 = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "OPENBLAS_CORETYPE": "Haswell",
}
"""What keeps torch, MKL, oneDNN and OpenBLAS from using newer instructions than AVX2."""


@dataclass(frozen=True)
class Comparison:
    """Seconds of ours and of the peer, turn by turn."""

    what: str
    peer: str
    ours: list[float]
    theirs: list[float]
    note: str = ""

    def __str__(self) -> str:
        ratios = [peer / our for our, peer in zip(self.ours, self.theirs, strict=True)]
        return (
            f"{self.what}: {median(ratios):.1f}x as fast as {self.peer} "
            f"(spread {min(ratios):.1f} to {max(ratios):.1f} over {len(ratios)} turns; "
            f"{median(self.ours):.2f} s against {median(self.theirs):.2f} s){self.note}"
        )


def compare(
    what: str, ours: Callable[[], object], peer: str, theirs: Callable[[], object], *, turns: int, note: str = ""
) -> Comparison:
    """Time both, turn by turn."""
    times: list[tuple[float, float]] = [(_time_work(ours), _time_work(theirs)) for _ in range(turns)]
    return Comparison(what, peer, [our for our, _ in times], [peer for _, peer in times], note)


def write_benchmark(name: str, lines: Sequence[Comparison | str], folder: Path = FOLDER) -> Path:
    """Write what a benchmark printed, the seconds behind each comparison, and the machine it ran on."""
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "name": name,
        "lines": [str(line) for line in lines],
        "comparisons": [to_plain(line) for line in lines if isinstance(line, Comparison)],
        "environment": to_plain(describe_environment()),
    }
    path = writable_folder(folder / "bench") / f"{name}.json"
    write_whole(path, dumps(found).encode())
    return path


def run_with_avx2(name: str) -> Iterator[str]:
    """Run a benchmark in a process whose libraries use no instructions beyond AVX2, as on an older laptop."""
    yield "restricted by " + " ".join(f"{key}={value}" for key, value in AVX2.items())
    command = [sys.executable, "-m", "bench", name]
    process = subprocess.Popen(command, env={**os.environ, **AVX2}, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield from (line.rstrip("\n") for line in process.stdout)
    if process.wait():
        raise RuntimeError(f"the benchmark {name} ended with {process.returncode}")


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Within, this many other processes use all of the processor that they get."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _time_work(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak_memory(work: Callable[..., object], *arguments: object) -> float:
    """The peak memory, in MiB, of a new process that does this work, with libraries and weights."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as process:
        return process.submit(_peak, work, *arguments).result()


def _peak(work: Callable[..., object], *arguments: object) -> float:
    work(*arguments)
    return own_peak()


def own_peak() -> float:
    """The peak memory of this process, in MiB. Not `ru_maxrss`, which a child inherits from its parent."""
    return _status("VmHWM")


def own_size() -> float:
    """The memory of this process now, in MiB."""
    return _status("VmRSS")


def _status(field: str) -> float:
    return int(Path("/proc/self/status").read_text().split(f"{field}:")[1].split()[0]) / 1024
