"""What a person sees while a command runs: bars on a terminal, lines in a log, and a message when it is stopped."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import typer

from vestige.cli.echo import echo
from vestige.cli.progress_lines import ProgressLines
from vestige.cli.verbosity import is_quiet
from vestige.printable import printable, printable_lines
from vestige.types import Advance, Progress, silent

INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM
"""The exit codes after Ctrl-C and after SIGTERM."""


def print_above_bars(line: str) -> None:
    """Print a line on standard error. Bars move down for it; they would erase what does not go through sys.stderr."""
    print(printable_lines(line), file=sys.stderr, flush=True)


@contextmanager
def progress_bars(*, fleeting: bool = False, hide_full: bool = False) -> Iterator[Progress]:
    """Show one progress bar per task; print lines if standard error is not a terminal; show nothing with --quiet.

    With `hide_full`, a full bar disappears; with `fleeting`, also short tasks have no line, which suits work of many
    small tasks.
    """
    if is_quiet():
        yield silent
        return
    with _show_bars(hide_full or fleeting) if sys.stderr.isatty() else _print_lines(fleeting) as start:
        yield start


@contextmanager
def _print_lines(fleeting: bool) -> Iterator[Progress]:
    lines = ProgressLines(lambda line: echo(line, err=True), fleeting=fleeting)
    threading.Thread(target=lines.run, name="progress", daemon=True).start()
    try:
        yield lines.start
    finally:
        lines.stop()


@contextmanager
def _show_bars(hide_full: bool) -> Iterator[Progress]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True)) as bars:

        def start(task: str, total: int) -> Advance:
            number = bars.add_task(escape(printable(task)), total=total)
            remaining = total

            def advance(steps: int) -> None:
                nonlocal remaining
                remaining -= steps
                bars.update(number, advance=steps, visible=remaining > 0 or not hide_full)

            return advance

        yield start


@contextmanager
def report_interrupt(
    message: str | Callable[[], str] = "stopped; run the same command to resume",
) -> Iterator[None]:
    """Answer Ctrl-C and SIGTERM with a message, and with exit code 130 or 143.

    Both are raised as KeyboardInterrupt, so that whatever cleans up after one cleans up after the other. A library may
    turn that into an error of its own.
    """
    received: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    with _handled_signals(stop):
        try:
            yield
        except BaseException as error:
            if isinstance(error, typer.Exit) or not (received or isinstance(error, KeyboardInterrupt)):
                raise
            print_above_bars(message if isinstance(message, str) else message())
            raise typer.Exit(TERMINATED if signal.SIGTERM in received else INTERRUPTED) from None


@contextmanager
def _handled_signals(handler: "signal._HANDLER") -> Iterator[None]:
    """Use this handler of SIGINT and SIGTERM for a while; only the main thread may set one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)
