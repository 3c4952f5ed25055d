"""Render a record of a reproduction as a table, and below it how each of its runs was made."""

from collections.abc import Iterator
from pathlib import Path

from vestige.papers.page import describe_convergence, format_counts, format_measured, format_published
from vestige.papers.results import ResultRow, ResultRun, ResultTable, read_results
from vestige.report.markdown import escape, render_table


def render_results(path: Path) -> str:
    """A record as a table, and below it how each of its runs was made."""
    table = read_results(path)
    head = ["", "", "n", "training", *map(escape, table.columns), "seconds"]
    rows = [cells for row in table.rows for cells in list_cells(row)]
    runs = "".join(f"- {describe_run(table, run)}\n" for run in table.runs)
    return f"{render_table(head, rows, raw=1)}\n\n{runs}"


def list_cells(one: ResultRow) -> Iterator[list[str]]:
    """The published figures of a row, then its lines; a line that did not converge says so."""
    row = one.row
    figures = map(format_published, row.published)
    yield [f"**{escape(row.section)}, {escape(row.model)}**", "published", "", "", *figures, ""]
    for line in row.lines:
        seconds = "" if line.seconds is None else f"{line.seconds:,.0f}"
        cells = map(format_measured, line.scores)
        yield [f"`{row.here}`", line.by, format_counts(line.scores), describe_convergence(line), *cells, seconds]


def describe_run(table: ResultTable, run: ResultRun) -> str:
    """The command of a run, the machine, and which rows it measured."""
    made = ", ".join(f"{one.row.section}: {one.row.model}" for one in table.rows if one.run == run.key)
    options = [f"--scale {run.scale}", *(f"--set {change}" for change in run.changes)]
    options += [f"--encoder {encoder}" for encoder in run.encoders]
    where = run.environment
    code = f"commit {where.commit[:10]}{' with changes' if where.dirty else ''}" if where.commit else "no checkout"
    return (
        f"{escape(made)}: `vestige reproduce {table.paper} {table.table} {' '.join(options)} --seed {run.seed}`; "
        f"{run.minutes:g} minutes for all its rows, {where.threads} thread on {escape(where.processor)}; {code}."
    )
