"""`vestige protect` on a large .npy file, against copying that file; both are synced to the disk at the end.

The file is sparse, so reading costs next to nothing and what is timed is the defense and the writing. Its rows are
zeros, which makes no defense here faster or slower. One run is killed halfway and resumed: the same bytes.
Before each turn the source is dropped from the page cache: a virtual machine returns freed memory to its host, and
getting a page back takes longer than filling it, so whichever run found the other's pages would seem to be faster.
The two take turns, and the medians are compared.
A defense below half the speed of copying is also timed alone, on rows in memory: no pipeline can be faster than that.
Ten million rows of 384 columns need 15 GB of disk, and twice that while the killed run is compared with a complete one.
"""

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.harness import own_peak
from vestige.defenses.catalogue import make_defense
from vestige.defenses.saved import load_defense, save_defense
from vestige.engine.threads import run_parallel
from vestige.files import drop_from_cache
from vestige.protect.arrays import BLOCK_BYTES

COLUMNS = 384
COPIED_AT_ONCE = 2**23
SPECS = ("rounding:2", "int8", "binary", "rotation", "projection:64", "gaussian:50", "laplace:20,sens=1", "metric:500")
KILLED = "rotation"
AIM, SHARE, REST, TURNS = 0.5, 20, 5, 3


def run() -> Iterator[str]:
    options = _parse_options()
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        folder = Path(scratch)
        source = _write_sparse(folder / "vectors.npy", options.rows)
        yield f"{options.rows:,} rows of {COLUMNS} columns, {source.stat().st_size / 2**30:.1f} GiB"
        for spec in options.defense or SPECS:
            fitted, turns = _Run(_save_fitted(spec, folder), options.through_cache), []
            for _ in range(options.turns):
                (folder / "out.npy").unlink(missing_ok=True)
                turns.append(
                    (_time_copy(source, folder / "copy.npy"), *_time_protect(source, folder / "out.npy", fitted))
                )
            copied, took, peak = np.median(turns, axis=0)
            yield (
                f"{spec}: {took:.1f} s, {options.rows / took:,.0f} rows per second, {copied / took:.2f} of the speed "
                f"of copying ({copied:.1f} s), peak memory {peak:,.0f} MiB; "
                f"turn by turn {', '.join(f'{turn[0] / turn[1]:.2f}' for turn in turns)}"
            )
            if copied / took < AIM:
                yield _time_alone(fitted.folder, options.rows, copied)
            if spec == KILLED:
                yield _kill_and_resume(source, folder / "again.npy", fitted, folder / "out.npy", took)
            (folder / "out.npy").unlink()


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench protect")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--defense", action="append", help="a spec; may be repeated")
    parser.add_argument("--through-cache", action="store_true", help="do not bypass the page cache")
    parser.add_argument(
        "--folder", type=Path, help="a folder with enough space [default: the folder for temporary files]"
    )
    return parser.parse_known_args(sys.argv[1:])[0]


class _Run(NamedTuple):
    """The folder of a fitted defense, and whether to go through the page cache."""

    folder: Path
    through_cache: bool


def _write_sparse(path: Path, rows: int) -> Path:
    with path.open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (rows, COLUMNS)}
        np.lib.format.write_array_header_1_0(file, header)
        file.truncate(file.tell() + rows * COLUMNS * 4)
    return path


def _save_fitted(spec: str, folder: Path) -> Path:
    rng = np.random.default_rng(0)
    target = folder / spec.partition(":")[0]
    save_defense(make_defense(spec).fit(rng.standard_normal((2000, COLUMNS)) / COLUMNS**0.5, rng=rng), target)
    return target


def _time_copy(source: Path, out: Path) -> float:
    """Seconds to read and write the file in a loop; the copy is deleted."""
    _drop_from_cache(source)
    began, buffer = time.perf_counter(), bytearray(COPIED_AT_ONCE)
    with source.open("rb", buffering=0) as original, out.open("wb", buffering=0) as copy:
        while read := original.readinto(buffer):
            copy.write(memoryview(buffer)[:read])
        os.fsync(copy.fileno())
    took = time.perf_counter() - began
    out.unlink()
    return took


def _drop_from_cache(source: Path) -> None:
    """Drop the file from the page cache, and let the machine settle."""
    with source.open("rb") as file:
        drop_from_cache(file.fileno(), 0, source.stat().st_size)
    time.sleep(REST)


def _time_protect(source: Path, out: Path, run: _Run) -> tuple[float, float]:
    """Seconds, including the start of Python, and peak memory in MiB of the command in its own process."""
    _drop_from_cache(source)
    began = time.perf_counter()
    printed = subprocess.run(_command(source, out, run), check=True, capture_output=True, text=True).stdout
    return time.perf_counter() - began, float(printed.split()[-1])


def _time_alone(folder: Path, rows: int, copied: float) -> str:
    """The time of the defense without reading and writing, on every core, extrapolated from a share of the rows."""
    defense, block = load_defense(folder), np.zeros((BLOCK_BYTES // (4 * COLUMNS), COLUMNS), np.float32)
    starts = range(0, -(-rows // SHARE), len(block))
    began = time.perf_counter()
    run_parallel(lambda start: len(defense.transform(block, start=start)), starts, lambda _steps: None)
    took = (time.perf_counter() - began) * rows / (len(starts) * len(block))
    return f"  its arithmetic alone, on every core: {took:.1f} s, {copied / took:.2f} of the speed of copying"


def _kill_and_resume(source: Path, out: Path, run: _Run, whole: Path, took: float) -> str:
    """Kill a run halfway, resume it, and compare it with one that was not killed."""
    running = subprocess.Popen(_command(source, out, run), stdout=subprocess.DEVNULL)
    time.sleep(took / 2)
    running.send_signal(signal.SIGKILL)
    running.wait()
    if out.exists():
        raise RuntimeError("it finished before it was killed; use more rows with --rows")
    there = (out.parent / f".{out.name}.parts" / "whole").stat().st_blocks * 512 / source.stat().st_size
    rest, _ = _time_protect(source, out, run)
    same = _digest(out) == _digest(whole)
    out.unlink()
    return f"  killed at {there:.0%}, the rest took {rest:.1f} s: {'the same bytes' if same else 'OTHER BYTES'}"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _command(source: Path, out: Path, run: _Run) -> list[str]:
    mode = "cache" if run.through_cache else "direct"
    return [sys.executable, "-m", "bench.protect", str(source), str(out), str(run.folder), mode]


if __name__ == "__main__":
    from vestige.cli.protect import protect
    from vestige.protect import direct_io

    if sys.argv[4] == "cache":
        direct_io.O_DIRECT = None
    protect(sys.argv[1], sys.argv[2], sys.argv[3])
    print(own_peak())
