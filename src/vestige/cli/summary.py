"""The end of an audit on the terminal: a verdict, a table, where the report lies."""

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from vestige.audit.result import AuditResult
from vestige.case.findings import Finding, Measure, Subject
from vestige.report.as_json import dumps
from vestige.report.figures import number, whole
from vestige.report.write import Reports
from vestige.types import Score


def print_summary(result: AuditResult, reports: Reports, *, as_json: bool) -> None:
    """JSON alone on standard output for machines; words and a table for people."""
    if as_json:
        typer.echo(dumps(result), nl=False)
        typer.echo(f"report: {reports.html}", err=True)
        return
    typer.echo(f"\n{result.verdict.headline}\n")
    for sentence in result.verdict.sentences:
        typer.echo(sentence)
    for finding in result.findings:
        typer.echo(f"\n{finding.question}")
        Console(highlight=False).print(_table(finding))
        typer.echo(f"{_sizes(result.subject, finding)}; the stranger had {whole(finding.adversary.pairs)} pairs")
    for question in result.not_run:
        typer.echo(f"not run: {question.probe}: {question.reason}; {question.remedy}")
    for gate in result.gates:
        typer.echo(f"{'held' if gate.held else 'FAILED'}: {gate.gate}: {gate.explanation}")
    typer.echo(f"report: {reports.html}")


def _sizes(subject: Subject, finding: Finding) -> str:
    alone = "" if subject.document_column else ", counting each row as a document" if subject.text_column else ""
    of = f" of {whole(subject.target_documents)} documents" if finding.leakage.n == subject.target_texts else ""
    return f"attacked {whole(finding.leakage.n)} {'texts' if subject.texts else 'vectors'}{of}{alone}"


def _table(finding: Finding) -> Table:
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("", "attack", "guessing", "control"):
        table.add_column(heading, no_wrap=True)
    for measure in _shown(finding):
        table.add_row(measure.name, *(_brief(score) for score in (measure.attack, measure.prior, measure.control)))
    table.add_row("leakage", _brief(finding.leakage), "", "")
    return table


def _shown(finding: Finding) -> list[Measure]:
    """The first three, and the headline, which the leakage is of, where it is not among them."""
    first = finding.measures[:3]
    headline = finding.measure(finding.headline)
    return [*first] if headline in first else [*first, headline]


def _brief(score: Score) -> str:
    return f"{number(score.value)} ({number(score.low)}-{number(score.high)})"
