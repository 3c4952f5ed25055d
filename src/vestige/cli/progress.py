"""What a person sees while it runs: bars with an estimate, and a word when it is stopped."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from vestige.types import Advance, Progress, silent


@contextmanager
def progress_bars(*, fleeting: bool = False) -> Iterator[Progress]:
    """Open one bar a task; nothing at all where standard error is not a terminal.

    With `fleeting`, a bar that is full goes away: for work of many small tasks.
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
            left = total

            def advance(steps: int) -> None:
                nonlocal left
                left -= steps
                bars.update(number, advance=steps, visible=left > 0 or not fleeting)

            return advance

        yield start


@contextmanager
def told_when_stopped(said: str = "stopped; the same command goes on where it was") -> Iterator[None]:
    """Answer Ctrl-C with what to do next."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(said, err=True)
        raise typer.Exit(130) from None
