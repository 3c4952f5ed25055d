"""Full disks, closed descriptors, and two commands at once."""

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np

from tests.campaign.interruptions import COMMANDS, _digest
from tests.campaign.trials import Tally, run_forked, run_vestige, start_vestige

LIMITS = (0, 100, 1000, 4096, 20_000, 100_000, 1_000_000, 5_000_000)
PLANT = ("canaries", "plant", "../small.txt", "--out", "new.csv", "--key", "key.json")
FIT = ("protect", "../plain.npy", "f.npy", "--defense", "int8", "--format", "compact")
TRAIN = ("train", "tfidf", "--texts", "../small.txt", "--out", "encoder")
CLOSED = (
    "<&-",
    ">&-",
    "2>&-",
    ">&- 2>&-",
    "<&- >&- 2>&-",
    ">/dev/full",
    "2>/dev/full",
    ">/dev/full 2>/dev/full",
    "| true",
)
DESCRIBED = (["completion", "bash"], ["check", "missing.npy"], ["check", "few.npy"], ["list"], ["--help"], ["nope"])
"""Commands that are run with closed descriptors."""

LONG_S = 300
"""Seconds of computing after which one of two commands at once counts as a hang."""


def run_full_disks(folder: Path, tally: Tally, limits: Sequence[int] = LIMITS) -> None:
    """Let every write fail beyond some size: the command is refused, or complete, and its files appear together."""
    groups: list[tuple[str, Sequence[str], Sequence[str]]] = [
        *((command.name, command.arguments, command.results) for command in COMMANDS),
        ("protect and fit", FIT, ("f.npy", "f.npy.code.json", "f.npy.defense/defense.json")),
        ("canaries plant", PLANT, ("new.csv", "key.json")),
        ("train", TRAIN, ("encoder/encoder.json", "encoder/encoder.safetensors")),
    ]
    for name, arguments, results in groups:
        for limit in limits:
            place = folder / f"{name} {limit}"
            place.mkdir()
            ended = run_forked(
                lambda arguments=arguments, limit=limit, place=place: _run_limited(arguments, limit, place)
            )
            fault = ended.find_fault(0, 1, 2)
            there = [(place / result).exists() for result in results]
            if fault is None and any(there) != all(there):
                fault = f"only some files: {dict(zip(results, there, strict=True))}"
            if fault is None and (ended.code == 0) != all(there):
                fault = f"exit code {ended.code}, and the files are {'there' if all(there) else 'missing'}"
            tally.add("full disk", f"{name}, {limit:,} bytes", fault)
            subprocess.run(["rm", "-rf", place], check=True)


def _run_limited(arguments: Sequence[str], limit: int, place: Path) -> int:
    from vestige.cli.entry import main

    os.chdir(place)
    sys.argv = ["vestige", *arguments]
    log = os.open(place.parent / "log", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    reader, writer = os.pipe()
    if os.fork() == 0:  # What is printed is not on the full disk.
        os.close(writer)
        while content := os.read(reader, 2**16):
            os.write(log, content)
        os._exit(0)
    for stream in (1, 2):
        os.dup2(writer, stream)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def run_closed_descriptors(folder: Path, tally: Tally, every: int = 1) -> None:
    """Close input, output and errors in all combinations: no traceback, no code of a failed gate, no stray file."""
    start = f"{sys.executable} -c 'from vestige.cli.entry import main; main()' \"$@\""
    np.save(folder / "few.npy", np.random.default_rng(0).normal(size=(60, 8)).astype(np.float32))
    before = {path.name for path in folder.iterdir()}
    for arguments, closed in list(product(DESCRIBED, CLOSED))[::every]:
        script = f"set -o pipefail; {start} {closed}"
        ended = subprocess.run(["bash", "-c", script, "sh", *arguments], cwd=folder, capture_output=True, check=False)
        fault = "traceback" if b"Traceback" in ended.stdout + ended.stderr else None
        if ended.returncode in (1, 70, 120) or ended.returncode < 0:
            fault = f"exit code {ended.returncode}"
        left = {path.name for path in folder.iterdir()} - before
        if fault is None and left:
            fault = f"left behind: {sorted(left)}"
        tally.add("closed descriptors", f"{arguments[0]} {closed}", fault)


def run_concurrency(folder: Path, tally: Tally, count: int) -> None:
    """Start the same command twice: one of them may be refused, and the result is that of one run."""
    for command in COMMANDS:
        whole = folder / f"{command.name} alone"
        whole.mkdir()
        assert run_vestige(*command.arguments, folder=whole, seconds=120).code == 0
        expected = [_digest(whole / name) for name in command.results]
        for number in range(count):
            place = folder / f"{command.name} twice {number}"
            place.mkdir()
            both = [start_vestige(*command.arguments, folder=place, seconds=LONG_S) for _ in range(2)]
            ended = [each.wait() for each in both]
            faults = [fault for each in ended if (fault := each.find_fault(0, 2))]
            if not faults and all(each.code for each in ended):
                faults = [f"both were refused: {ended[0].err[-200:]} / {ended[1].err[-200:]}"]
            if not faults and [_digest(place / name) for name in command.results] != expected:
                faults = ["the result differs"]
            tally.add("two at once", f"{command.name} {number}", faults[0] if faults else None)
            subprocess.run(["rm", "-rf", place], check=True)
