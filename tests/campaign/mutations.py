"""Seeded mutations of every format that Vestige reads: what is read is right, or an InputError.

Formats that Vestige reads in a child process are read in one here: its death is what isolation turns into an error,
and is counted as handled. All other formats must neither crash nor raise anything but an InputError.
"""

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.campaign.trials import Tally, run_forked
from vestige.errors import VestigeError
from vestige.memory import limit_memory

BATCH, MEMORY = 500, 3 * 2**30
SECONDS_EACH, SECONDS_ISOLATED = 5.0, 0.5
"""Seconds of computing after which a mutation counts as a hang; shorter where Vestige itself ends the reader."""

EXTREMES = (
    b"\x00",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x00",
    b"\xff" * 8,
    b"\x7f" + b"\xff" * 7,
)


@dataclass(frozen=True)
class Format:
    """A format: how a small example is written into a folder, and how it is read.

    `isolated` formats are read in a child process. What an `exact` format gives is protected by a digest: it equals
    what was written, or it is refused.
    """

    name: str
    write: Callable[[Path], object]
    read: Callable[[Path], object]
    isolated: bool = False
    exact: bool = False
    slow: int = 1


def mutate(content: bytes, rng: np.random.Generator) -> bytes:
    """Change a few bytes: flip, overwrite, delete, repeat, insert, truncate, or swap."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        size = max(len(data), 1)
        place, span = int(rng.integers(size)), int(rng.integers(1, 1 + min(64, size)))
        kind = int(rng.integers(7))
        if kind == 0 and data:
            data[place] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            extreme = EXTREMES[int(rng.integers(len(EXTREMES)))]
            data[place : place + len(extreme)] = extreme
        elif kind == 2:
            del data[place : place + span]
        elif kind == 3:
            data[place:place] = data[place : place + span] * int(rng.integers(1, 5))
        elif kind == 4:
            data[place:place] = rng.bytes(span)
        elif kind == 5:
            del data[place:]
        else:
            other = int(rng.integers(size))
            data[place : place + span], data[other : other + span] = (
                data[other : other + span],
                data[place : place + span],
            )
    return bytes(data)


def run_mutations(formats: list[Format], folder: Path, count: int, seed: int, tally: Tally) -> None:
    """Read `count` mutations of each format; slow formats fewer."""
    for number, each in enumerate(formats):
        original = folder / f"original {number}"
        original.mkdir(parents=True)
        made = run_forked(lambda each=each, original=original: each.write(original) and None, 300)
        if made.code:
            tally.add(f"mutations: {each.name}", "writing the original", made.err[-300:])
            continue
        total = max(10, count // each.slow)
        for start in range(0, total, BATCH):
            _run_batch(each, original, range(start, min(start + BATCH, total)), seed + number, tally)
        shutil.rmtree(original)


def _run_batch(each: Format, original: Path, numbers: range, seed: int, tally: Tally) -> None:
    """Read mutations in one process after the other, each until it dies."""
    kind, todo = f"mutations: {each.name}", list(numbers)
    scratch = original.parent / "mutated"
    report = original.parent / "report.jsonl"
    while todo:
        report.unlink(missing_ok=True)
        ended = run_forked(lambda todo=todo: _read_mutations(each, original, scratch, report, todo, seed), 3600)
        lines = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
        done = [line for line in lines if "fault" in line]
        for line in done:
            tally.add(kind, f"number {line['number']}", line["fault"])
            if line["fault"] is None and line.get("handled"):
                tally.handled[line["handled"]] += 1
        todo = todo[len(done) :]
        if todo and ended.code:
            died = "hang" if ended.code == -signal.SIGVTALRM else f"crash by signal {-ended.code}"
            tally.add(kind, f"number {todo[0]}", None if each.isolated else died)
            if each.isolated:
                tally.handled["the reader in the child process died, which is an error of the input"] += 1
            todo = todo[1:]
        elif todo and not done:
            tally.add(kind, f"number {todo[0]}", f"no progress: {ended.err[-300:]}")
            todo = todo[1:]


def _read_mutations(
    each: Format, original: Path, scratch: Path, report: Path, numbers: list[int], seed: int
) -> int | None:
    expected = each.read(original) if each.exact else None
    mutated = MutatedCopy(original, scratch, volatile=each.slow > 1)
    with report.open("a", buffering=1) as file, limit_memory(MEMORY):
        for number in numbers:
            mutated.change(np.random.default_rng([seed, number]))
            # Not the timer that watches the memory. Its signal ends the process.
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_ISOLATED if each.isolated else SECONDS_EACH)
            outcome = read_one(each, scratch, expected)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            file.write(json.dumps({"number": number, **outcome}) + "\n")
    os._exit(0)  # Threads of a library may not end.


def read_one(each: Format, scratch: Path, expected: object) -> dict[str, str | None]:
    """What is wrong with what is read, or with the error that is raised; None if nothing is."""
    try:
        found = each.read(scratch)
    except VestigeError as error:
        return {"fault": None if str(error) else "an empty message"}
    except BaseException as error:
        named = f"{type(error).__name__}: {str(error)[:200]}"
        if each.isolated:
            return {"fault": None, "handled": "the child process raised another error, which is one of the input"}
        return {"fault": "memory" if isinstance(error, MemoryError) else named}
    return {"fault": "silent change" if each.exact and found != expected else None}


class MutatedCopy:
    """A copy of a folder in which one file at a time is changed.

    Only what changed is copied again, unless reading changes files (`volatile`), as that of a database does.
    """

    def __init__(self, original: Path, scratch: Path, *, volatile: bool) -> None:
        self._original, self._scratch, self._volatile = original, scratch, volatile
        self._names = [str(path.relative_to(original)) for path in list_files(original) if path.stat().st_size]
        self._changed: str | None = None
        self._copy()

    def change(self, rng: np.random.Generator) -> None:
        """Restore the last file, and change another one."""
        if self._volatile:
            self._copy()
        elif self._changed is not None:
            shutil.copyfile(self._original / self._changed, self._scratch / self._changed)
        self._changed = self._names[int(rng.integers(len(self._names)))]
        chosen = self._scratch / self._changed
        chosen.write_bytes(mutate(chosen.read_bytes(), rng))

    def _copy(self) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)
        shutil.copytree(self._original, self._scratch)


def list_files(folder: Path) -> Iterator[Path]:
    """The files below a folder, in order."""
    return iter(sorted(path for path in folder.rglob("*") if path.is_file()))
