"""The entry point of the command: what must be set before numerical libraries are loaded, then the command itself."""

import os
import signal
import sys
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
