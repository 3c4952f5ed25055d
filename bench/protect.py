"""`vestige protect` on a large .npy file, against copying that file, both forced to the disk at the end.

The file is sparse, so that reading it costs next to nothing: what is timed is the defense and the writing. Its rows are
zeros; no defense here is faster or slower for that. One of the runs is killed half way and goes on: the same bytes.
Before each turn the source is put out of the page cache: a virtual machine gives freed memory back to its host, and to
have a page again takes longer than to fill it, so that whoever found the pages of the other would seem to be faster.
They take turns, and the medians are compared.
A defense that does not reach half of the speed of copying is timed alone, on rows in memory: no pipeline can be faster.
Ten million rows of 384 columns take 15 GB of disk, twice that where the killed run is held against a whole one.
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
from vestige.files import drop_from_cache
from vestige.protect.arrays import BLOCK_BYTES
from vestige.protect.cores import on_every_core

COLUMNS = 384
COPIED_AT_ONCE = 2**23
SPECS = ("rounding:2", "int8", "binary", "rotation", "projection:64", "gaussian:50", "laplace:20,sens=1", "metric:500")
KILLED = "rotation"
AIM, SHARE, REST, TURNS = 0.5, 20, 5, 3


def run() -> Iterator[str]:
    asked = _asked()
    with tempfile.TemporaryDirectory(dir=asked.folder) as made:
        folder = Path(made)
        source = _sparse(folder / "vectors.npy", asked.rows)
        yield f"{asked.rows:,} rows of {COLUMNS} columns, {source.stat().st_size / 2**30:.1f} GiB"
        for spec in asked.defense or SPECS:
            kept, turns = _Kept(_fitted(spec, folder), asked.through_cache), []
            for _ in range(asked.turns):
                (folder / "out.npy").unlink(missing_ok=True)
                turns.append((_copy(source, folder / "copy.npy"), *_timed(source, folder / "out.npy", kept)))
            copied, took, peak = np.median(turns, axis=0)
            yield (
                f"{spec}: {took:.1f} s, {asked.rows / took:,.0f} rows a second, {copied / took:.2f} of the speed of "
                f"copying ({copied:.1f} s), peak memory {peak:,.0f} MiB; "
                f"turn by turn {', '.join(f'{taken[0] / taken[1]:.2f}' for taken in turns)}"
            )
            if copied / took < AIM:
                yield _alone(kept.folder, asked.rows, copied)
            if spec == KILLED:
                yield _killed(source, folder / "again.npy", kept, folder / "out.npy", took)
            (folder / "out.npy").unlink()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench protect")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--defense", action="append", help="a spec; may be repeated")
    parser.add_argument("--through-cache", action="store_true", help="as where no way leads past the page cache")
    parser.add_argument("--folder", type=Path, help="where there is room; by default the folder for temporary files")
    return parser.parse_known_args(sys.argv[1:])[0]


class _Kept(NamedTuple):
    """A fitted defense, and whether it is used as where no way leads past the page cache."""

    folder: Path
    through_cache: bool


def _sparse(path: Path, rows: int) -> Path:
    with path.open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (rows, COLUMNS)}
        np.lib.format.write_array_header_1_0(file, header)
        file.truncate(file.tell() + rows * COLUMNS * 4)
    return path


def _fitted(spec: str, folder: Path) -> Path:
    rng = np.random.default_rng(0)
    kept = folder / spec.partition(":")[0]
    save_defense(make_defense(spec).fit(rng.standard_normal((2000, COLUMNS)) / COLUMNS**0.5, rng=rng), kept)
    return kept


def _copy(source: Path, out: Path) -> float:
    """Seconds to read and write the file in a loop; the copy is not kept."""
    _forget(source)
    began, room = time.perf_counter(), bytearray(COPIED_AT_ONCE)
    with source.open("rb", buffering=0) as given, out.open("wb", buffering=0) as taken:
        while read := given.readinto(room):
            taken.write(memoryview(room)[:read])
        os.fsync(taken.fileno())
    took = time.perf_counter() - began
    out.unlink()
    return took


def _forget(source: Path) -> None:
    """Put it out of the page cache, and let the machine come to rest."""
    with source.open("rb") as file:
        drop_from_cache(file.fileno(), 0, source.stat().st_size)
    time.sleep(REST)


def _timed(source: Path, out: Path, kept: _Kept) -> tuple[float, float]:
    """Seconds, the start of Python included, and the most memory in MiB, of the command in a process of its own."""
    _forget(source)
    began = time.perf_counter()
    told = subprocess.run(_command(source, out, kept), check=True, capture_output=True, text=True).stdout
    return time.perf_counter() - began, float(told.split()[-1])


def _alone(kept: Path, rows: int, copied: float) -> str:
    """The time of the defense without reading and writing, on every core, from a part of as many rows."""
    defense, block = load_defense(kept), np.zeros((BLOCK_BYTES // (4 * COLUMNS), COLUMNS), np.float32)
    starts = range(0, -(-rows // SHARE), len(block))
    began = time.perf_counter()
    for _ in on_every_core(lambda start: len(defense.transform(block, start=start)), starts):
        pass
    took = (time.perf_counter() - began) * rows / (len(starts) * len(block))
    return f"  its arithmetic alone, on every core: {took:.1f} s, {copied / took:.2f} of the speed of copying"


def _killed(source: Path, out: Path, kept: _Kept, whole: Path, took: float) -> str:
    """Killed half way, gone on with, and held against what was not killed."""
    running = subprocess.Popen(_command(source, out, kept), stdout=subprocess.DEVNULL)
    time.sleep(took / 2)
    running.send_signal(signal.SIGKILL)
    running.wait()
    if out.exists():
        raise RuntimeError("it was over before it was killed; give more rows with --rows")
    there = (out.parent / f".{out.name}.parts" / "whole").stat().st_size / source.stat().st_size
    rest, _ = _timed(source, out, kept)
    same = _digest(out) == _digest(whole)
    out.unlink()
    return f"  killed at {there:.0%}, the rest took {rest:.1f} s: {'the same bytes' if same else 'OTHER BYTES'}"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _command(source: Path, out: Path, kept: _Kept) -> list[str]:
    way = "cache" if kept.through_cache else "past"
    return [sys.executable, "-m", "bench.protect", str(source), str(out), str(kept.folder), way]


if __name__ == "__main__":
    from vestige.cli.protect import protect
    from vestige.protect import direct

    if sys.argv[4] == "cache":
        direct.O_DIRECT = None
    protect(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
    print(own_peak())
