"""The entry point of the command: what must be set before numerical libraries are loaded, then the command itself."""

import codecs
import os
import signal
import sys
from contextlib import suppress
from io import TextIOWrapper
from types import FrameType

WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0", "KMP_BLOCKTIME": "0", "OPENBLAS_THREAD_TIMEOUT": "10"}
"""Idle threads of OpenMP and OpenBLAS sleep. By default they spin, and take cores from whatever else needs them."""


CACHED = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "32"}
"""Compiled products that oneDNN keeps. It compiles one for every length of texts; 1,024 of them take hundreds of MB."""

SWITCH_S = 0.0005
"""Seconds after which a thread that computes in Python hands over. With the usual 0.005, a thread that encodes waits so
long after each of its products while another ranks, tags or plans."""


def main() -> None:
    """Run `vestige`; a Ctrl-C or SIGTERM while libraries are loading ends it without a traceback."""
    _fill_closed_descriptors()
    _print_every_character()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, exit_at_once)
    for name, value in {**WAITING, **CACHED}.items():
        os.environ.setdefault(name, value)
    sys.setswitchinterval(SWITCH_S)
    from vestige.cli.main import main as run_command

    run_command()


def exit_at_once(number: int, _frame: FrameType | None) -> None:
    """Answer a signal before any work has begun. Raised inside an import, an exception would end in a traceback."""
    os._exit(128 + number)


def _fill_closed_descriptors() -> None:
    """Open the null device where input, output or errors are closed; else the next file receives what is printed."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


def _print_every_character() -> None:
    """Escape what the encoding of the output lacks, such as every letter with an accent where it is ASCII."""
    codecs.register_error("vestige", escape_as_json)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            with suppress(OSError):  # What was a file when it was opened may have become a pipe.
                stream.reconfigure(errors="vestige")


def escape_as_json(error: UnicodeError) -> tuple[str, int]:
    r"""Characters as JSON escapes them, such as \u00e9, so that what is printed with --json stays JSON."""
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)), error.end
