"""The entry point of the command: what must be set before numerical libraries are loaded, then the command itself."""

import os
import sys

WAITING = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0", "KMP_BLOCKTIME": "0", "OPENBLAS_THREAD_TIMEOUT": "10"}
"""Idle threads of OpenMP and OpenBLAS sleep. By default they spin, and take cores from whatever else needs them."""


def main() -> None:
    """Run `vestige`; a Ctrl-C while libraries are loading ends it without a traceback."""
    for name, value in WAITING.items():
        os.environ.setdefault(name, value)
    try:
        from vestige.cli.main import main as run_command

        run_command()
    except KeyboardInterrupt:
        sys.exit(130)
