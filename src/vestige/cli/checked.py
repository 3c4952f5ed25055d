"""The end of a preflight on the terminal: what was looked at, then the checks."""

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from vestige.preflight import Preflight
from vestige.report.preflight import headline, looked_at

COLOURS = {"ok": "green", "note": "cyan", "warning": "yellow", "error": "bold red"}


def print_preflight(result: Preflight) -> None:
    """A line on the store, a table of the checks, a verdict."""
    typer.echo(looked_at(result))
    table = Table(box=box.SIMPLE, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in result.checks:
        shown = "".join(f"\n  as in: {example}" for example in check.examples)
        colour = COLOURS[check.level]
        table.add_row(f"[{colour}]{check.level}[/]", check.name, escape(check.sentence + shown))
    Console(highlight=False).print(table)
    typer.echo(headline(result))
