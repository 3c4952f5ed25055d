"""A comparison as SARIF 2.1.0 and as JUnit XML, for services that show the findings of tools and tests."""

from collections.abc import Iterator
from typing import Literal

from vestige.audit.comparison import Change, Comparison
from vestige.report.compare_page import format_difference
from vestige.report.junit import JUnitCase, render_junit
from vestige.report.sarif import Kind, SarifResult, render_sarif

CHANGE_LEVELS: dict[Change, tuple[Kind, str]] = {
    "worse": ("fail", "error"),
    "better": ("pass", "none"),
    "undecided": ("open", "none"),
    "no difference": ("pass", "none"),
    "not comparable": ("notApplicable", "none"),
}


def build_comparison_sarif(result: Comparison) -> str:
    """Probes that are worse and conditions that failed as results; all of them as rules."""
    subject = result.new.subject
    return render_sarif([*_list_sarif(result)], subject.vectors or subject.corpus or "vectors")


def build_comparison_junit(result: Comparison, seconds: float = 0.0) -> str:
    """Every condition passes or fails. A change is a measurement, so it passes; what has none is skipped.

    `seconds` is how long the comparison took, with the audits that it ran; it is the time of the case `compare`.
    """
    run = JUnitCase("run", "compare", "passed", result.headline, seconds)
    return render_junit([run, *_list_cases(result)])


def _list_sarif(result: Comparison) -> Iterator[SarifResult]:
    for change in result.changes:
        score = change.difference
        numbers = {} if score is None else {name: getattr(score, name) for name in ("value", "low", "high", "n")}
        question = f"Did the leakage change? {change.question}"
        kind, level = CHANGE_LEVELS[change.change]
        message = _describe(result, change.probe)
        yield SarifResult(f"compare/{change.probe}", question, kind, level, message, numbers)
    for gate in result.gates:
        outcome: tuple[Kind, str] = ("pass", "none") if gate.held else ("fail", "error")
        message = f"{gate.gate}: {gate.explanation}"
        yield SarifResult("compare/limit", "Do the owner's conditions hold?", *outcome, message, {}, gate.gate)


def _list_cases(result: Comparison) -> Iterator[JUnitCase]:
    for change in result.changes:
        outcome: Literal["skipped", "passed"] = "skipped" if change.difference is None else "passed"
        yield JUnitCase("changes", change.probe, outcome, _describe(result, change.probe))
    for gate in result.gates:
        yield JUnitCase("limits", gate.gate, "passed" if gate.held else "failure", gate.explanation)


def _describe(result: Comparison, probe: str) -> str:
    change = result[probe]
    if change.difference is None:
        return f"Not comparable: {change.reason}."
    return f"{change.change}: compared with '{result.base.name}', the leakage changed by {format_difference(change)}."
