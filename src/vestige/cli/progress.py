"""What a person sees while a command runs: progress bars with an estimate, and a message when it is stopped."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from vestige.types import Advance, Progress, silent


@contextmanager
def progress_bars(*, fleeting: bool = False) -> Iterator[Progress]:
    """Show one progress bar per task; show nothing if standard error is not a terminal.

    With `fleeting`, a full bar disappears, which suits work of many small tasks.
    """
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
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
            number = bars.add_task(task, total=total)
            remaining = total

            def advance(steps: int) -> None:
                nonlocal remaining
                remaining -= steps
                bars.update(number, advance=steps, visible=remaining > 0 or not fleeting)

            return advance

        yield start


@contextmanager
def report_interrupt(message: str = "stopped; run the same command to resume") -> Iterator[None]:
    """Answer Ctrl-C with a message and exit code 130."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(message, err=True)
        raise typer.Exit(130) from None
