"""The end of a reproduction on the terminal: the table, what differs, where the page lies."""

from operator import attrgetter

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from vestige.case.codec import dumps
from vestige.papers.catalogue import PAPERS
from vestige.papers.figures import brief, counted, printed
from vestige.papers.record import Reproduction, Row
from vestige.papers.write import Written

WIDEST = 400


def print_papers() -> None:
    """What can be run again."""
    for name, entry in PAPERS:
        typer.echo(f"{name:<12}{entry.summary}")


def print_reproduction(record: Reproduction, written: Written, *, as_json: bool) -> None:
    """JSON alone on standard output for machines; a table and sentences for people."""
    if as_json:
        typer.echo(dumps(record), nl=False)
        typer.echo(f"page: {written.html}", err=True)
        return
    typer.echo(f"{record.title}\n{record.citation}")
    # As wide as it needs to be: figures broken over two lines could not be read on any terminal.
    Console(highlight=False, markup=False, width=WIDEST).print(_table(record))
    for row in filter(attrgetter("note"), record.rows):
        typer.echo(f"{row.section}, {row.model}: {row.note}")
    for row in filter(attrgetter("samples"), record.rows):
        typer.echo(f"{row.section}, {row.model}:")
        for sample in row.samples:
            typer.echo(f"- {sample}")
    typer.echo("What differs from the paper:")
    for sentence in record.differs:
        typer.echo(f"- {sentence}")
    typer.echo(f"{record.minutes:g} minutes; in percent, 95% intervals in brackets")
    typer.echo(f"page: {written.html}")


def _table(record: Reproduction) -> Table:
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("", "", "n", *record.columns):
        table.add_column(heading.replace(", ", "\n"), no_wrap=True)
    section = None
    for row in record.rows:
        if row.section != section:
            section = row.section
            table.add_section()
            table.add_row(Text(section, style="bold"))
        _add(table, row)
    return table


def _add(table: Table, row: Row) -> None:
    table.add_row(row.model, "published", "", *map(printed, row.published))
    for place, line in enumerate(row.lines):
        table.add_row("" if place else row.here, line.by, counted(line.scores), *map(brief, line.scores))
