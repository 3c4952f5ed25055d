"""Peak memory of `check`, `audit --sample` and `protect` on a large .npy file without texts.

Peaks are those of the command and of all processes that it starts, added up. `memory` has two million rows; twenty
million, in `memory_large`, need 36 GB of disk.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

COLUMNS, SAMPLE, AT_ONCE = 384, 20_000, 100_000
ROWS, MANY_ROWS = 2_000_000, 20_000_000
DEFENSE = "pca:64"
INTERVAL_S = 0.05
VESTIGE = (sys.executable, "-c", "from vestige.cli.entry import main; main()")


def run() -> Iterator[str]:
    yield from _measure_all(ROWS)


def run_large() -> Iterator[str]:
    yield from _measure_all(MANY_ROWS)


def _measure_all(rows: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "vectors.npy"
        _write(source, rows)
        yield f"{rows:,} rows of {COLUMNS} columns, {source.stat().st_size / 1e9:.1f} GB"
        commands = (
            ("check", str(source)),
            ("audit", str(source), "--sample", str(SAMPLE), "--out", f"{folder}/audit"),
            ("protect", str(source), f"{folder}/protected.npy", "--defense", DEFENSE),
        )
        for command in commands:
            took, peak = _measure(command)
            named = " ".join(word.replace(f"{folder}/", "") for word in command)
            yield f"vestige {named}: peak memory {peak:,.0f} MiB, {took:.0f} s"


def _measure(command: tuple[str, ...]) -> tuple[float, float]:
    """Seconds, and the sum of the peaks of the processes in MiB."""
    began, peak = time.perf_counter(), 0.0
    process = subprocess.Popen([*VESTIGE, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        peak = max(peak, sum(map(_read_peak, _list_tree(process.pid))))
        time.sleep(INTERVAL_S)
    if process.returncode:
        raise RuntimeError(f"vestige {' '.join(command)} ended with exit code {process.returncode}")
    return time.perf_counter() - began, peak


def _list_tree(process: int) -> Iterator[int]:
    """A process and all that it started."""
    yield process
    for place in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = place.read_text().split()
        except OSError:
            continue  # The thread has ended.
        for child in children:
            yield from _list_tree(int(child))


def _read_peak(process: int) -> float:
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return int(status.split("VmHWM:")[1].split()[0]) / 1024 if "VmHWM:" in status else 0.0


def _write(path: Path, rows: int) -> None:
    """Write random directions, around another centre in each block."""
    rng = np.random.default_rng(0)
    block = rng.standard_normal((AT_ONCE, COLUMNS), dtype=np.float32)
    with path.open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (rows, COLUMNS)}
        np.lib.format.write_array_header_1_0(file, header)
        for _ in range(0, rows, AT_ONCE):
            vectors = block + rng.standard_normal(COLUMNS, dtype=np.float32) / 3
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            vectors.tofile(file)
