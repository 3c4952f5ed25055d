"""Render a record of a reproduction as a table, and below it how each of its runs was made."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from shlex import quote
from textwrap import fill

from vestige.papers.page import describe_convergence, format_counts, format_measured, format_published
from vestige.papers.results import ResultRow, ResultRun, ResultTable, read_results
from vestige.report.markdown import escape, render_table

HELD = "\x00"
"""Stands for a space at which no line may end."""


def render_results(path: Path) -> str:
    """A record as a table, and below it how each of its runs was made."""
    table = read_results(path)
    head = ["", "", "n", "training", *map(escape, table.columns), "seconds"]
    rows = [cells for row in table.rows for cells in list_cells(row)]
    return f"{render_table(head, rows, raw=1)}\n\n{render_items(describe_run(table, run) for run in table.runs)}"


def render_items(items: Iterable[str]) -> str:
    """A bulleted list in lines of at most 120 characters; no line ends inside code or starts with a mark of a list."""
    return "".join(f"{_wrap_item(item)}\n" for item in items)


def _wrap_item(item: str) -> str:
    held = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", HELD), item)
    held = re.sub(r" (?=(?:[-+*#>]|\d+[.)])\s)", HELD, held)
    wrapped = fill(
        held, 120, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return wrapped.replace(HELD, " ")


def list_cells(one: ResultRow) -> Iterator[list[str]]:
    """The published figures of a row, then its lines; a line that did not converge says so."""
    row = one.row
    figures = map(format_published, row.published)
    yield [f"**{escape(row.section)}, {escape(row.model)}**", "published", "", "", *figures, ""]
    for line in row.lines:
        seconds = "" if line.seconds is None else f"{line.seconds:,.0f}"
        cells = map(format_measured, line.scores)
        yield [f"`{row.here}`", line.by, format_counts(line.scores), describe_convergence(line), *cells, seconds]


def join_names(names: Iterable[str]) -> str:
    """Names as `vestige reproduce` reads them, each once; where one has a comma, all end with a semicolon."""
    known = list(dict.fromkeys(names))
    return "".join(f"{name};" for name in known) if any("," in name for name in known) else ",".join(known)


def describe_run(table: ResultTable, run: ResultRun) -> str:
    """The command of a run, the machine, and which rows it measured."""
    rows = [one.row for one in table.rows if one.run == run.key]
    made = ", ".join(f"{row.section}: {row.model}" for row in rows)
    options = [f"--scale {run.scale}", *(f"--set {change}" for change in run.changes)]
    options.append(f"--sections {quote(join_names(row.section for row in rows))}")
    options.append(f"--models {quote(join_names(re.split('[,*]', row.model)[0] for row in rows))}")
    options += [f"--encoder {encoder}" for encoder in run.encoders]
    where = run.environment
    code = f"commit {where.commit[:10]}{' with changes' if where.dirty else ''}" if where.commit else "no checkout"
    return (
        f"{escape(made)}: `vestige reproduce {table.paper} {table.table} {' '.join(options)} --seed {run.seed}`; "
        f"{run.minutes:g} minutes for all its rows, {where.threads} thread on {escape(where.processor)}; {code}."
    )
