"""Kill and stop commands at random moments; what resumes must give the same bytes, and nothing may be left behind."""

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from tests.campaign.trials import Ended, Tally, run_vestige, start_vestige, wait_until

TEXTS, ROWS, COLUMNS = 30_000, 120_000, 64
STOPPED = {signal.SIGINT: 130, signal.SIGTERM: 143}


@dataclass(frozen=True)
class Command:
    """A command that can be resumed: its arguments, and the files of its result."""

    name: str
    arguments: Sequence[str]
    results: Sequence[str]


COMMANDS = (
    Command("encode", ("encode", "../texts.txt", "--encoder", "hashing:256", "--out", "v.npy"), ("v.npy",)),
    Command("protect", ("protect", "../plain.npy", "p.npy", "--defense", "../noise"), ("p.npy",)),
    Command(
        "audit",
        ("audit", "../small.npy", "--texts", "../small.txt", "--probe", "words", "--probe", "membership", "--out", "a"),
        ("a/report.json", "a/report.md", "a/report.html"),
    ),
)


def prepare(folder: Path) -> None:
    """The inputs of the commands."""
    from tests.conftest import WordSum, toy_corpus

    rng = np.random.default_rng(0)
    (folder / "texts.txt").write_text("\n".join(f"letter {row} to the bank about {row % 97}" for row in range(TEXTS)))
    np.save(folder / "plain.npy", rng.normal(size=(ROWS, COLUMNS)).astype(np.float32))
    corpus = toy_corpus()
    np.save(folder / "small.npy", WordSum().encode(corpus.texts))
    (folder / "small.txt").write_text("\n".join(corpus.texts))
    np.save(folder / "few.npy", rng.normal(size=(200, COLUMNS)).astype(np.float32))
    run_vestige("protect", "few.npy", "few-noise.npy", "--defense", "gaussian:500", folder=folder)
    (folder / "few-noise.npy.defense").rename(folder / "noise")


def run_kills(folder: Path, tally: Tally, count: int, seed: int) -> None:
    """Kill each command `count` times with SIGKILL, resume it, and compare with a run that was not killed."""
    prepare(folder)
    rng = np.random.default_rng(seed)
    for command in COMMANDS:
        seconds, expected, left = _run_undisturbed(command, folder)
        for number in range(count):
            place = folder / f"{command.name} {number}"
            place.mkdir()
            for _ in range(int(rng.integers(1, 3))):
                running = start_vestige(*command.arguments, folder=place, seconds=120)
                time.sleep(float(rng.uniform(0, seconds)))
                running.send(signal.SIGKILL)
                running.wait()
            fault = _resume(command, place, expected, left)
            tally.add("kill -9", f"{command.name} {number}", fault)
            subprocess.run(["rm", "-rf", place], check=True)


def _run_undisturbed(command: Command, folder: Path) -> tuple[float, list[str], set[str]]:
    place = folder / f"{command.name} whole"
    place.mkdir()
    began = time.monotonic()
    ended = run_vestige(*command.arguments, folder=place, seconds=120)
    assert ended.code == 0, ended.err
    return time.monotonic() - began, [_digest(place / name) for name in command.results], _list_names(place)


def _resume(command: Command, place: Path, expected: list[str], left: set[str]) -> str | None:
    finished = all((place / name).exists() for name in command.results) and command.name != "audit"
    ended = Ended(0, "", "") if finished else run_vestige(*command.arguments, folder=place, seconds=120)
    fault = ended.find_fault(0)
    if fault is None and [_digest(place / name) for name in command.results] != expected:
        fault = "the resumed result differs"
    more = _list_names(place) - left
    if fault is None and more and not finished:
        fault = f"left behind: {sorted(more)}"
    return fault


def run_signals(folder: Path, tally: Tally, count: int, seed: int) -> None:
    """Stop commands with SIGINT and SIGTERM: the exit code says so, a line says what next, and no copy stays."""
    rng = np.random.default_rng(seed)
    stores = _make_stores(folder)
    for number in range(count):
        kind = (signal.SIGINT, signal.SIGTERM)[number % 2]
        place = folder / f"signal {number}"
        (place / "scratch").mkdir(parents=True)
        choices = [*((command.name, command.arguments) for command in COMMANDS), *stores]
        name, arguments = choices[int(rng.integers(len(choices)))]
        running = start_vestige(*arguments, folder=place, seconds=120, TMPDIR=str(place / "scratch"))
        time.sleep(float(rng.uniform(0, 2.0)))
        with suppress(ProcessLookupError):
            running.send(kind)
        ended = running.wait()
        if ended.code == -kind:  # It came before the command had begun, and had its usual effect.
            ended = Ended(STOPPED[kind], ended.out, ended.err)
        tally.add("signals", f"{kind.name} to {name}", _judge_stop(ended, kind, place / "scratch"))
        subprocess.run(["rm", "-rf", place], check=True)


def _make_stores(folder: Path) -> list[tuple[str, Sequence[str]]]:
    """Stores that are copied before they are read."""
    from tests.campaign.formats import _write_chroma, _write_sqlite
    from tests.campaign.trials import run_forked

    stores = []
    for name, write, source in (
        ("chroma", _write_chroma, "chroma:../chroma#letters"),
        ("sqlite", _write_sqlite, "sqlite-vec:../v.db"),
    ):
        if run_forked(lambda write=write: write(folder)).code == 0:
            stores.append((name, ("check", source)))
    return stores


def _judge_stop(ended: Ended, kind: signal.Signals, scratch: Path) -> str | None:
    fault = ended.find_fault(STOPPED[kind], 0)
    if fault is None and ended.code and "stopped" not in ended.err and ended.err.strip():
        fault = f"no line on how to go on: {ended.err[-200:]}"
    if fault is None and not wait_until(lambda: not list(scratch.glob("vestige-*"))):
        fault = f"left behind: {[path.name for path in scratch.iterdir()]}"
    return fault


def run_early_signals(tally: Tally, count: int, seed: int) -> None:
    """Stop a new process within its first second, while it loads libraries."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        kind = (signal.SIGINT, signal.SIGTERM)[number % 2]
        code = "from vestige.cli.entry import main; main()"
        command = [sys.executable, "-c", code, "check", "missing.npy"]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(float(rng.uniform(0.05, 1.5)))
        running.send_signal(kind)
        out, err = running.communicate(timeout=300)
        # Before Python has started to run our code, the signal has its usual effect.
        ended = Ended(STOPPED[kind] if running.returncode == -kind else running.returncode, out, err)
        own = "vestige" in err or not err
        tally.add("signals", f"early {kind.name}", ended.find_fault(STOPPED[kind], 2) if own else None)


def _digest(path: Path) -> str:
    """The digest of a file; an audit's report without its version of the time."""
    return sha256(path.read_bytes()).hexdigest() if path.exists() else "missing"


def _list_names(folder: Path) -> set[str]:
    """The files of a folder, without those of a cache, whose names are digests."""
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if "/cache/" not in f"/{name}" or ".writing" in name}
