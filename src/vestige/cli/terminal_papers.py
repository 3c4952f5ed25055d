"""How reproductions of papers are printed on the terminal."""

from operator import attrgetter

from rich.table import Table
from rich.text import Text

from vestige.case.codec import dumps
from vestige.cli.echo import echo
from vestige.cli.terminal import add_row, build_table, print_wide
from vestige.papers.page import describe_convergence, format_brief, format_counts, format_published
from vestige.papers.record import Reproduction, Row
from vestige.report.write import Reports


def print_reproduction(record: Reproduction, written: Reports, *, as_json: bool) -> None:
    """Print a reproduction: the table, how it differs from the paper, and the path of the page."""
    if as_json:
        echo(dumps(record), nl=False)
        echo(f"page: {written.html}", err=True)
        return
    echo(f"{record.title}\n{record.citation}")
    print_wide(_build_reproduction_table(record))
    for row in filter(attrgetter("note"), record.rows):
        echo(f"{row.section}, {row.model}: {row.note}")
    for row in filter(attrgetter("samples"), record.rows):
        echo(f"{row.section}, {row.model}:")
        for sample in row.samples:
            echo(f"- {sample}")
    echo("What differs from the paper:")
    for sentence in record.differs:
        echo(f"- {sentence}")
    echo(f"{record.minutes:g} minutes; in percent, 95% intervals in brackets")
    echo(f"page: {written.html}")


def _build_reproduction_table(record: Reproduction) -> Table:
    table = build_table("", "", "n", "training", *(heading.replace(", ", "\n") for heading in record.columns))
    section = None
    for row in record.rows:
        if row.section != section:
            section = row.section
            table.add_section()
            add_row(table, Text(section, style="bold"))
        _add_rows(table, row)
    return table


def _add_rows(table: Table, row: Row) -> None:
    add_row(table, row.model, "published", "", "", *map(format_published, row.published))
    for position, line in enumerate(row.lines):
        here = "" if position else row.here
        counts, ended = format_counts(line.scores), describe_convergence(line)
        add_row(table, here, line.by, counts, ended, *map(format_brief, line.scores))
