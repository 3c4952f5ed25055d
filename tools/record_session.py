"""Record what a person sees of an audit: on a terminal of 80 columns, and in a log file.

usage: python tools/record_session.py

Both run `vestige audit --preset quick`, the first in a pseudo-terminal, the second with its output in a file. What the
terminal shows is the output replayed on a screen (`replay`): a bar that redraws itself is one line, as it last was.
The record is results/commands/session.json; tools/render_results.py shows it in docs/tutorials/first-audit.md.
"""

import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path
from tempfile import TemporaryDirectory

from vestige.case.cache import read_record
from vestige.case.codec import dumps
from vestige.files import write_whole
from vestige.papers.provenance import Environment, describe_environment

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "results" / "commands" / "session.json"
SCHEMA, COLUMNS, ROWS = 1, 80, 40
COMMAND = ("audit", "--preset", "quick")
PROGRAM = (sys.executable, "-c", "from vestige.cli.entry import main; main()")

CONTROL = re.compile(r"\x1b\[(?P<number>\d*)(?:;\d*)*(?P<letter>[A-Za-z])|\x1b\[\?\d+[hl]|(?P<mark>[\r\n])")


@dataclass(frozen=True)
class Session:
    """The lines of a terminal and of a log file, each at the end of the command, and how long each run took."""

    schema: int
    command: str
    environment: Environment
    terminal: tuple[str, ...]
    terminal_seconds: float
    log: tuple[str, ...]
    log_seconds: float


def replay(output: str) -> list[str]:
    """The lines that a terminal shows after this output: carriage returns, line feeds, moves up, and cleared lines."""
    screen, row, column, place = [""], 0, 0, 0
    for found in CONTROL.finditer(output):
        row, column = _put(screen, row, column, output[place : found.start()])
        row, column = _move(screen, row, column, found)
        place = found.end()
    _put(screen, row, column, output[place:])
    lines = [line.rstrip() for line in screen]
    return lines[: max((number for number, line in enumerate(lines, 1) if line), default=0)]


def _put(screen: list[str], row: int, column: int, text: str) -> tuple[int, int]:
    """Text replaces what is below it."""
    line = screen[row].ljust(column)
    screen[row] = line[:column] + text + line[column + len(text) :]
    return row, column + len(text)


def _move(screen: list[str], row: int, column: int, found: re.Match[str]) -> tuple[int, int]:
    mark, letter = found["mark"], found["letter"]
    if mark == "\r":
        return row, 0
    if mark == "\n":
        screen += [""] * (row + 2 - len(screen))
        return row + 1, column
    if letter == "A":
        return max(0, row - int(found["number"] or 1)), column
    if letter == "K":
        screen[row] = "" if found["number"] == "2" else screen[row][:column]
    return row, column


def record() -> Session:
    """Run the command both ways, in a folder of their own."""
    with TemporaryDirectory() as scratch:
        started = time.perf_counter()
        terminal = replay("".join(_run_in_terminal(Path(scratch))))
        between = time.perf_counter()
        log = _run_into_file(Path(scratch))
        ended = time.perf_counter()
    command = " ".join(("vestige", *COMMAND))
    seconds = round(between - started, 1), round(ended - between, 1)
    return Session(SCHEMA, command, describe_environment(), tuple(terminal), seconds[0], tuple(log), seconds[1])


def _run_in_terminal(folder: Path) -> Iterator[str]:
    """What the command prints in a pseudo-terminal of 80 columns."""
    ours, theirs = pty.openpty()
    ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    environment.pop("COLUMNS", None)
    command = [*PROGRAM, *COMMAND, "--out", "terminal"]
    process = subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    yield _read_all(ours, process).decode("utf-8", "replace")
    os.close(ours)
    _check(process.wait(), "in a terminal")


def _read_all(terminal: int, process: "subprocess.Popen[bytes]") -> bytes:
    """All bytes until the process has ended and nothing is left; a closed terminal is an OSError on Linux."""
    received = bytearray()
    while True:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        if not ready and process.poll() is not None:
            return bytes(received)
        try:
            part = os.read(terminal, 65536) if ready else b""
        except OSError:
            return bytes(received)
        received += part


def _run_into_file(folder: Path) -> list[str]:
    """The log file of the same command, with standard output and standard error in it."""
    log = folder / "audit.log"
    with log.open("wb") as file:
        command = [*PROGRAM, *COMMAND, "--out", "file"]
        ended = subprocess.run(command, cwd=folder, stdout=file, stderr=subprocess.STDOUT, check=False)
    _check(ended.returncode, "with its output in a file")
    return log.read_text(encoding="utf-8").splitlines()


def _check(code: int, how: str) -> None:
    if code:
        raise SystemExit(f"error: vestige {' '.join(COMMAND)} {how} ended with exit code {code}")


def render_session(part: str, results: Path) -> str:
    """The part `terminal` or `log` of the record as a block, and how to record it; or only the latter without it."""
    path = results / "commands" / RECORD.name
    if not path.is_file():
        return "Not recorded yet: `python tools/record_session.py`.\n"
    session = read_record(Session, path)
    lines, seconds = (
        (session.terminal, session.terminal_seconds) if part == "terminal" else (session.log, session.log_seconds)
    )
    machine = f"{session.environment.cores} cores of {session.environment.processor}"
    block = "\n".join(["```text", *(line.rstrip() for line in lines), "```"])
    return f"{block}\n\n`{session.command}`, {seconds:.0f} s on {machine} (`results/commands/session.json`).\n"


if __name__ == "__main__":
    write_whole(RECORD, dumps(record()).encode())
    print(RECORD)
