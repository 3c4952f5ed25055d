"""An audit as JUnit XML, for services that show tests. Only what ends a run with exit code 1 is a failure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

from vestige.audit.result import AuditResult
from vestige.preflight import Preflight

_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class JUnitCase:
    """One test case, its outcome and the message."""

    suite: str
    name: str
    outcome: Literal["passed", "failure", "skipped", "error"]
    message: str
    seconds: float = 0.0


def build_junit(result: AuditResult, seconds: Mapping[str, float] | None = None) -> str:
    """Every limit and every check of the preflight passes or fails. `seconds` is the time that each probe took.

    A finding is a measurement, so it passes. A finding with a warning and a probe that did not run are skipped.
    """
    return _document([*_list_checks(result.preflight), *_list_findings(result, seconds or {})])


def build_junit_error(message: str) -> str:
    """A run that failed before any result: one test with an error."""
    return _document([JUnitCase("run", "audit", "error", message)])


def _document(cases: list[JUnitCase]) -> str:
    root = ET.Element("testsuites", {"name": "vestige", **_counts(cases)})
    for suite in dict.fromkeys(case.suite for case in cases):
        own = [case for case in cases if case.suite == suite]
        branch = ET.SubElement(root, "testsuite", {"name": f"vestige.{suite}", **_counts(own)})
        for case in own:
            _add(branch, case)
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _list_checks(preflight: Preflight | None) -> Iterator[JUnitCase]:
    for check in () if preflight is None else preflight.checks:
        outcome: Literal["passed", "failure"] = "failure" if check.level == "error" else "passed"
        yield JUnitCase("preflight", check.name, outcome, f"{check.level}: {check.sentence}")


def _list_findings(result: AuditResult, seconds: Mapping[str, float]) -> Iterator[JUnitCase]:
    for finding in result.findings:
        doubts = " ".join(finding.warnings)
        message = doubts or f"{finding.level}: {finding.summary}"
        took = seconds.get(finding.probe, 0.0)
        yield JUnitCase("findings", finding.probe, "skipped" if doubts else "passed", message, took)
    for skipped in result.not_run:
        yield JUnitCase("findings", skipped.probe, "skipped", f"{skipped.reason}; {skipped.remedy}")
    for probe in result.pending:
        yield JUnitCase("findings", probe, "error", "the audit was stopped before this probe ran")
    for gate in result.gates:
        yield JUnitCase("limits", gate.gate, "passed" if gate.held else "failure", gate.explanation)


def _add(suite: ET.Element, case: JUnitCase) -> None:
    element = ET.SubElement(
        suite, "testcase", classname=f"vestige.{case.suite}", name=_allowed(case.name), time=f"{case.seconds:.3f}"
    )
    message = _allowed(case.message)
    if case.outcome == "passed":
        ET.SubElement(element, "system-out").text = message
    else:
        ET.SubElement(element, case.outcome, message=message).text = message


def _counts(cases: list[JUnitCase]) -> dict[str, str]:
    outcomes: list[str] = [case.outcome for case in cases]
    names = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    counts = {name: str(outcomes.count(outcome)) for name, outcome in names.items()}
    return {"tests": str(len(cases)), **counts, "time": f"{sum(case.seconds for case in cases):.3f}"}


def _allowed(text: str) -> str:
    """Replace the characters that XML does not allow."""
    return _FORBIDDEN.sub("?", text)
