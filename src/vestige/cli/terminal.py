"""How results are printed on the terminal: sentences and tables for people, or JSON alone for machines."""

import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from operator import attrgetter
from pathlib import Path
from shutil import get_terminal_size

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from vestige.audit.comparison import Comparison
from vestige.audit.result import AuditResult, GateOutcome
from vestige.case.codec import dumps
from vestige.case.findings import Finding, Measure, Subject
from vestige.cli.echo import echo
from vestige.defend.judge_record import JudgeResult
from vestige.defend.record import DefendResult, ProbeLeakage, Recommendation
from vestige.defenses.catalogue import find_info
from vestige.leaderboard.record import Leaderboard
from vestige.papers.page import describe_convergence, format_brief, format_counts, format_published
from vestige.papers.record import Reproduction, Row
from vestige.preflight import Preflight
from vestige.printable import printable, printable_lines
from vestige.report.compare_page import format_difference
from vestige.report.formatting import format_count, format_number, format_score
from vestige.report.frontier_page import describe_recommendation, list_statuses
from vestige.report.preflight_section import describe_source, summarize_checks
from vestige.report.write import Reports
from vestige.types import Score

CHANGE_COLOURS = {"worse": "bold red", "better": "green"}
COLOURS = {"ok": "green", "note": "cyan", "warning": "yellow", "error": "bold red"}

_GATES_DECIDE: ContextVar[bool] = ContextVar("gates_decide", default=True)

WIDEST = 400
"""Wider than any table: a narrower terminal wraps the lines, whereas rich would cut the figures off."""


def print_audit(result: AuditResult, reports: Reports, *, as_json: bool) -> None:
    """Print an audit: the verdict, a table per finding, the gates and the path of the report."""
    if as_json:
        echo(dumps(result), nl=False)
        echo(f"report: {reports.html}", err=True)
        return
    echo(f"\n{result.verdict.headline}\n")
    for sentence in result.verdict.sentences:
        echo_wrapped(sentence)
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


def _add_row(table: Table, *cells: str | Text) -> None:
    """Add a row; a cell is text, never markup, and holds no control characters."""
    table.add_row(*(Text(printable_lines(cell)) if isinstance(cell, str) else cell for cell in cells))


def echo_wrapped(text: str) -> None:
    """Print a sentence; on a terminal, lines end between words."""
    if sys.stdout.isatty():
        text = textwrap.fill(text, get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
    echo(text)


def _describe_sizes(subject: Subject, finding: Finding) -> str:
    alone = "" if subject.document_column else ", counting each row as a document" if subject.text_column else ""
    of = f" of {format_count(subject.target_documents)} documents" if finding.leakage.n == subject.target_texts else ""
    return f"attacked {format_count(finding.leakage.n)} {'texts' if subject.texts else 'vectors'}{of}{alone}"


def _build_audit_table(finding: Finding) -> Table:
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("", "attack", "guessing", "control"):
        table.add_column(heading, no_wrap=True)
    for measure in _select_measures(finding):
        _add_row(
            table, measure.name, *(_format_score(score) for score in (measure.attack, measure.prior, measure.control))
        )
    _add_row(table, "leakage", _format_score(finding.leakage), "", "")
    return table


def _select_measures(finding: Finding) -> list[Measure]:
    """The first three measures, and the headline measure if it is not among them."""
    first = finding.measures[:3]
    headline = finding.measure(finding.headline)
    return [*first] if headline in first else [*first, headline]


def _format_score(score: Score) -> str:
    return f"{format_number(score.value)} ({format_number(score.low)}-{format_number(score.high)})"


def print_frontier(result: DefendResult, reports: Reports, defense: Path | None, *, as_json: bool) -> None:
    """Print a sweep: the answer, a table of the defenses, and the paths of the defense and the report."""
    if as_json:
        echo(dumps(result), nl=False)
        echo(f"report: {reports.html}", err=True)
        return
    echo(f"\n{result.headline}\n")
    for sentence in result.sentences:
        echo(sentence)
    Console(highlight=False, width=WIDEST).print(_build_frontier_table(result))
    dropped = sum(trial.status == "dropped" for trial in result.trials)
    if dropped:
        echo(f"{dropped} more were dropped at a smaller size; see the report")
    for skipped in result.not_tried:
        echo(f"not tried: {skipped.defense}: {skipped.reason}; {skipped.remedy}")
    for number, advice in enumerate(result.recommendations, 1):
        _print_recommendation(number, advice)
    if defense is not None:
        echo(f"defense: {defense} ({_describe_secret(result)}; `vestige protect` applies it)")
    echo(f"report: {reports.html}")


def _print_recommendation(number: int, advice: Recommendation) -> None:
    limits = f" ({advice.limits})" if advice.limits else ""
    echo_wrapped(f"{number}. To hide {advice.need} from {advice.adversary}{limits}: {describe_recommendation(advice)}")
    for command in advice.commands:
        echo(f"   {command}")


def _describe_secret(result: DefendResult) -> str:
    """Whether the folder of the chosen defense must be kept secret, and why."""
    assert result.chosen is not None
    secret = find_info(result.chosen).secret
    return f"keep it secret: it holds {secret}" if secret else "it holds no secret"


def _build_frontier_table(result: DefendResult) -> Table:
    first, statuses = result.trials[0], list_statuses(result)
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False, caption="leakage: adaptive / naive")
    for heading in ("defense", *first.leakage, *(scored.measure for scored in first.utility), ""):
        table.add_column(Text(printable(heading)), no_wrap=True)
    for trial in result.trials:
        if trial.status != "dropped":
            utility = [format_number(scored.score.value) for scored in trial.utility]
            _add_row(table, trial.defense, *map(_format_leakage, trial.privacy), *utility, statuses[trial.status])
    return table


def _format_leakage(reading: ProbeLeakage) -> str:
    naive = "-" if reading.naive is None else format_number(reading.naive.value)
    return f"{format_number(reading.adaptive.value)} / {naive}"


def print_judgement(result: JudgeResult, reports: Reports, *, as_json: bool) -> None:
    """Print a judgement: the answer, a table of ours and the judged defense, and the path of the report."""
    if as_json:
        echo(dumps(result), nl=False)
        echo(f"report: {reports.html}", err=True)
        return
    echo(f"\n{result.headline}\n")
    for sentence in result.sentences:
        echo(sentence)
    Console(highlight=False, width=WIDEST).print(_build_frontier_table(result.sweep))
    for name in result.sweep.not_asked:
        echo(f"not judged by {name}")
    echo(f"report: {reports.html}")


def print_comparison(result: Comparison, reports: Reports, *, as_json: bool) -> None:
    """Print a comparison: the answer, a table of the probes, the gates and the path of the report."""
    if as_json:
        echo(dumps(result), nl=False)
        echo(f"report: {reports.html}", err=True)
        return
    echo(f"\n{result.headline}\n")
    for sentence in result.sentences:
        echo(sentence)
    Console(highlight=False, markup=False, width=WIDEST).print(_build_comparison_table(result))
    for change in result.changes:
        if change.difference is None:
            echo(f"not comparable: {change.probe}: {change.reason}")
    for gate in result.gates:
        echo(_describe_gate(gate))
    echo(f"report: {reports.html}")


def _build_comparison_table(result: Comparison) -> Table:
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("probe", "base", "new", "change (95% interval)", ""):
        table.add_column(heading, no_wrap=True)
    for change in result.changes:
        sides = ["-" if side is None else format_number(side.value) for side in (change.base, change.new)]
        style = CHANGE_COLOURS.get(change.change, "")
        _add_row(table, change.probe, *sides, format_difference(change), Text(change.change, style=style))
    return table


def print_leaderboard(result: Leaderboard, reports: Reports, *, as_json: bool) -> None:
    """Print a leaderboard: the answer, a table of the encoders, what is missing, and the path of the report."""
    if as_json:
        echo(dumps(result), nl=False)
        echo(f"report: {reports.html}", err=True)
        return
    echo(f"\n{result.headline}\n")
    for sentence in result.sentences:
        echo(sentence)
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("encoder", *result.probes, "retrieval"):
        table.add_column(heading, no_wrap=True)
    for row in result:
        _add_row(
            table, row.encoder, *(_format(row.leakage.get(probe)) for probe in result.probes), _format(row.retrieval)
        )
    Console(highlight=False, markup=False, width=WIDEST).print(table)
    for missing in result.not_ranked:
        echo(f"not ranked: {missing.encoder}: {missing.reason}")
    echo(f"report: {reports.html}")


def _format(score: Score | None) -> str:
    return "-" if score is None else format_score(score)


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
        _add_row(table, Text(check.level, style=colour), check.name, check.sentence + shown)
    Console(highlight=False).print(table)
    echo(summarize_checks(result))


def print_reproduction(record: Reproduction, written: Reports, *, as_json: bool) -> None:
    """Print a reproduction: the table, how it differs from the paper, and the path of the page."""
    if as_json:
        echo(dumps(record), nl=False)
        echo(f"page: {written.html}", err=True)
        return
    echo(f"{record.title}\n{record.citation}")
    # The table takes the width it needs: figures split over two lines are unreadable.
    Console(highlight=False, markup=False, width=WIDEST).print(_build_reproduction_table(record))
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
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("", "", "n", "training", *record.columns):
        table.add_column(heading.replace(", ", "\n"), no_wrap=True)
    section = None
    for row in record.rows:
        if row.section != section:
            section = row.section
            table.add_section()
            _add_row(table, Text(section, style="bold"))
        _add_rows(table, row)
    return table


def _add_rows(table: Table, row: Row) -> None:
    _add_row(table, row.model, "published", "", "", *map(format_published, row.published))
    for position, line in enumerate(row.lines):
        here = "" if position else row.here
        counts, ended = format_counts(line.scores), describe_convergence(line)
        _add_row(table, here, line.by, counts, ended, *map(format_brief, line.scores))
