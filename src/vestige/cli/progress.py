"""Progress bars with an estimate, on standard error, and only when a person looks on."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from vestige.types import Advance, Progress, silent


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Open one bar a task; nothing at all where standard error is not a terminal."""
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
            return lambda steps: bars.advance(number, steps)

        yield start
