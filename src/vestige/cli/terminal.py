"""How audits, comparisons and checks are printed on the terminal: for people, or as JSON alone for machines."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from vestige.audit.comparison import Comparison
from vestige.audit.result import AuditResult, GateOutcome
from vestige.case.codec import dumps
from vestige.case.findings import Finding, Measure, Subject
from vestige.cli.echo import echo, echo_wrapped
from vestige.preflight import Preflight
from vestige.printable import printable, printable_lines
from vestige.report.compare_page import format_difference
from vestige.report.formatting import format_count, format_number
from vestige.report.preflight_section import describe_source, summarize_checks
from vestige.report.write import Reports
from vestige.types import Score

CHANGE_COLOURS = {"worse": "bold red", "better": "green"}
COLOURS = {"ok": "green", "note": "cyan", "warning": "yellow", "error": "bold red"}

_GATES_DECIDE: ContextVar[bool] = ContextVar("gates_decide", default=True)

WIDEST = 400
"""Wider than any table."""


def print_audit(result: AuditResult, reports: Reports, *, as_json: bool) -> None:
    """Print an audit: the verdict, a table per finding, the gates and the path of the report."""
    if as_json:
        print_json(result, reports)
        return
    print_answer(result.verdict.headline, result.verdict.sentences)
    for finding in result.findings:
        echo()
        echo_wrapped(finding.question)
        Console(highlight=False).print(_build_audit_table(finding))
        pairs = format_count(finding.adversary.pairs)
        echo_wrapped(f"{_describe_sizes(result.subject, finding)}; the attacker had {pairs} pairs")
    for skipped in result.not_run:
        echo_wrapped(f"not run: {skipped.probe}: {skipped.reason}; {skipped.remedy}")
    for gate in result.gates:
        echo_wrapped(_describe_gate(gate))
    echo(f"report: {reports.html}")


@contextmanager
def show_gates_as_recorded() -> Iterator[None]:
    """While a comparison runs an audit, the gates of the audit are not called held or failed: they decide nothing."""
    token = _GATES_DECIDE.set(False)
    try:
        yield
    finally:
        _GATES_DECIDE.reset(token)


def _describe_gate(gate: GateOutcome) -> str:
    if _GATES_DECIDE.get():
        return f"{'held' if gate.held else 'FAILED'}: {gate.gate}: {gate.explanation}"
    alone = "would hold" if gate.held else "would fail"
    return f"not a gate of the comparison: {gate.gate}: {gate.explanation} ({alone} in the audit alone)"


def print_json(record: Any, reports: Reports) -> None:
    """Print a record alone on standard output, and the path of its page on standard error."""
    echo(dumps(record), nl=False)
    echo(f"report: {reports.html}", err=True)


def print_answer(headline: str, sentences: Iterable[str]) -> None:
    """Print the headline of a result, and the sentences below it."""
    echo()
    echo_wrapped(headline)
    echo()
    for sentence in sentences:
        echo_wrapped(sentence)


def print_wide(table: Table) -> None:
    """Print a table at the width that it needs: a narrow terminal wraps the lines, whereas rich would cut figures."""
    Console(highlight=False, markup=False, width=WIDEST).print(table)


def build_table(*headings: str) -> Table:
    """A table without lines between its cells, which are not wrapped."""
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in headings:
        table.add_column(Text(printable_lines(heading)), no_wrap=True)
    return table


def add_row(table: Table, *cells: str | Text) -> None:
    """Add a row; a cell is text, never markup, and holds no control characters."""
    table.add_row(*(Text(printable_lines(cell)) if isinstance(cell, str) else cell for cell in cells))


def _describe_sizes(subject: Subject, finding: Finding) -> str:
    alone = "" if subject.document_column else ", counting each row as a document" if subject.text_column else ""
    of = f" of {format_count(subject.target_documents)} documents" if finding.leakage.n == subject.target_texts else ""
    return f"attacked {format_count(finding.leakage.n)} {'texts' if subject.texts else 'vectors'}{of}{alone}"


def _build_audit_table(finding: Finding) -> Table:
    table = build_table("", "attack", "guessing", "control")
    for measure in _select_measures(finding):
        add_row(
            table, measure.name, *(_format_score(score) for score in (measure.attack, measure.prior, measure.control))
        )
    add_row(table, "leakage", _format_score(finding.leakage), "", "")
    return table


def _select_measures(finding: Finding) -> list[Measure]:
    """The first three measures, and the headline measure if it is not among them."""
    first = finding.measures[:3]
    headline = finding.measure(finding.headline)
    return [*first] if headline in first else [*first, headline]


def _format_score(score: Score) -> str:
    return f"{format_number(score.value)} ({format_number(score.low)}-{format_number(score.high)})"


def print_comparison(result: Comparison, reports: Reports, *, as_json: bool) -> None:
    """Print a comparison: the answer, a table of the probes, the gates and the path of the report."""
    if as_json:
        print_json(result, reports)
        return
    print_answer(result.headline, result.sentences)
    print_wide(_build_comparison_table(result))
    for change in result.changes:
        if change.difference is None:
            echo_wrapped(f"not comparable: {change.probe}: {change.reason}")
    for gate in result.gates:
        echo_wrapped(_describe_gate(gate))
    echo(f"report: {reports.html}")


def _build_comparison_table(result: Comparison) -> Table:
    table = build_table("probe", "base", "new", "change (95% interval)", "")
    for change in result.changes:
        sides = ["-" if side is None else format_number(side.value) for side in (change.base, change.new)]
        style = CHANGE_COLOURS.get(change.change, "")
        add_row(table, change.probe, *sides, format_difference(change), Text(change.change, style=style))
    return table


def print_preflight(result: Preflight) -> None:
    """Print a preflight: one line about the store, a table of the checks, and the verdict."""
    echo(describe_source(result))
    table = Table(box=box.SIMPLE, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in result.checks:
        shown = "".join(f"\n  example: {printable(example)}" for example in check.examples)
        colour = COLOURS[check.level]
        add_row(table, Text(check.level, style=colour), check.name, check.sentence + shown)
    Console(highlight=False).print(table)
    echo(summarize_checks(result))
