"""The end of an audit on the terminal: a verdict, a table, where the report lies."""

import typer
from rich.console import Console
from rich.table import Table

from vestige.audit.result import AuditResult, Finding
from vestige.report.as_json import dumps
from vestige.report.write import Reports
from vestige.types import Score


def print_summary(result: AuditResult, reports: Reports, *, as_json: bool) -> None:
    """JSON alone on standard output for machines; words and a table for people."""
    if as_json:
        typer.echo(dumps(result), nl=False)
        typer.echo(f"report: {reports.html}", err=True)
        return
    console = Console(highlight=False)
    console.print(f"\n[bold]{result.verdict.headline}[/bold]")
    for sentence in result.verdict.sentences:
        console.print(sentence, markup=False)
    for finding in result.findings:
        console.print(_table(finding))
        for warning in finding.warnings:
            console.print(f"warning: {warning}", markup=False)
    for question in result.not_run:
        console.print(f"not run: {question.probe}: {question.reason}; {question.remedy}", markup=False)
    for gate in result.gates:
        console.print(f"{'held' if gate.held else 'FAILED'}: {gate.gate}: {gate.explanation}", markup=False)
    console.print(f"report: {reports.html}", markup=False, soft_wrap=True)


def _table(finding: Finding) -> Table:
    table = Table(title=finding.question, title_justify="left")
    for heading in ("", "attack", "guessing", "control"):
        table.add_column(heading)
    for measure in finding.measures[:3]:
        table.add_row(measure.label, *(_figure(score) for score in (measure.attack, measure.prior, measure.control)))
    table.add_row("Leakage: F1 gained over guessing", _figure(finding.leakage), "", "")
    return table


def _figure(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
