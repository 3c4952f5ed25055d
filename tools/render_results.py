"""Render the tables of docs/ that show measured numbers, from the records in results/.

usage: python tools/render_results.py [--check]

A page marks the place with `<!-- results: PAPER/TABLE -->` and `<!-- end -->`; after the table may follow the columns
to show, as in `<!-- results: song2020/table1: F1, same domain; F1, other domain -->`. A record that does not exist
leaves a sentence. With --check nothing is written; the exit code is 1 if a page differs.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from vestige.errors import InputError
from vestige.papers.page import describe_convergence, format_counts, format_measured, format_published
from vestige.papers.results import ResultRow, ResultRun, ResultTable, read_results
from vestige.report.markdown import escape, render_table

ROOT = Path(__file__).resolve().parent.parent
MARKED = re.compile(r"(<!-- results: ([\w./-]+?)(?:: ([^\n]*?))? -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def render_page(page: str, results: Path) -> str:
    """The page with every marked table rendered from its record."""
    return MARKED.sub(lambda found: found[1] + render_results(results / f"{found[2]}.json", found[3]) + found[5], page)


def render_results(path: Path, columns: str | None) -> str:
    """A record as a table, and below it how each of its runs was made."""
    if not path.is_file():
        return "Not recorded yet.\n"
    table = read_results(path)
    shown = select_columns(table, columns)
    head = ["", "", "n", "training", *(escape(table.columns[place]) for place in shown), "seconds"]
    rows = [cells for row in table.rows for cells in list_cells(row, shown)]
    runs = "".join(f"- {describe_run(table, run)}\n" for run in table.runs)
    return f"{render_table(head, rows, raw=1)}\n\n{runs}"


def select_columns(table: ResultTable, columns: str | None) -> list[int]:
    """The places of the columns to show; all if none are named."""
    if columns is None:
        return list(range(len(table.columns)))
    named = [name.strip() for name in columns.split(";")]
    for name in named:
        if name not in table.columns:
            raise InputError(f"{table.table} has no column '{name}'; its columns: {'; '.join(table.columns)}")
    return [table.columns.index(name) for name in named]


def list_cells(one: ResultRow, shown: list[int]) -> Iterator[list[str]]:
    """The published figures of a row, then its lines; a line that did not converge says so."""
    row = one.row
    figures = [format_published(row.published[place]) for place in shown]
    yield [f"**{escape(row.section)}, {escape(row.model)}**", "published", "", "", *figures, ""]
    for line in row.lines:
        scores = [line.scores[place] for place in shown]
        seconds = "" if line.seconds is None else f"{line.seconds:,.0f}"
        cells = map(format_measured, scores)
        yield [f"`{row.here}`", line.by, format_counts(scores), describe_convergence(line), *cells, seconds]


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


def list_outdated(docs: Path = ROOT / "docs", results: Path = ROOT / "results") -> list[Path]:
    """The pages that differ from the records."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(docs.rglob("*.md"))}
    return [path for path, page in pages.items() if render_page(page, results) != page]


def write_pages(docs: Path = ROOT / "docs", results: Path = ROOT / "results") -> None:
    """Render every page that differs."""
    for path in list_outdated(docs, results):
        path.write_text(render_page(path.read_text(encoding="utf-8"), results), encoding="utf-8")


if __name__ == "__main__":
    if "--check" in sys.argv:
        outdated = list_outdated()
        for path in outdated:
            print(f"{path} differs from the records; run `make tables`")
        sys.exit(bool(outdated))
    write_pages()
