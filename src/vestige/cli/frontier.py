"""The end of a sweep on the terminal: the answer, a table, where the report and the defense lie."""

from pathlib import Path

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from vestige.case.codec import dumps
from vestige.defend.record import DefendResult, Reading
from vestige.report.figures import number
from vestige.report.frontier.wording import FATES
from vestige.report.write import Reports

WIDEST = 400
"""Wider than any table: a terminal that is narrower breaks lines, where a table would cut figures off."""


def print_frontier(result: DefendResult, reports: Reports, defense: Path | None, *, as_json: bool) -> None:
    """JSON alone on standard output for machines; words and a table for people."""
    if as_json:
        typer.echo(dumps(result), nl=False)
        typer.echo(f"report: {reports.html}", err=True)
        return
    typer.echo(f"\n{result.headline}\n")
    for sentence in result.sentences:
        typer.echo(sentence)
    Console(highlight=False, width=WIDEST).print(_table(result))
    dropped = sum(trial.fate == "dropped" for trial in result.trials)
    if dropped:
        typer.echo(f"{dropped} more were dropped at a smaller size; the report lists them")
    for each in result.not_tried:
        typer.echo(f"not tried: {each.defense}: {each.reason}; {each.remedy}")
    if defense is not None:
        typer.echo(f"defense: {defense} (keep it secret; `vestige protect` applies it)")
    typer.echo(f"report: {reports.html}")


def _table(result: DefendResult) -> Table:
    first = result.trials[0]
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False, caption="leakage: adaptive / naive")
    for heading in ("defense", *first.leakage, *(kept.measure for kept in first.utility), ""):
        table.add_column(heading, no_wrap=True)
    for trial in result.trials:
        if trial.fate != "dropped":
            kept = [number(each.score.value) for each in trial.utility]
            table.add_row(trial.defense, *map(_reading, trial.privacy), *kept, FATES[trial.fate])
    return table


def _reading(reading: Reading) -> str:
    return f"{number(reading.adaptive.value)} / {'-' if reading.naive is None else number(reading.naive.value)}"
