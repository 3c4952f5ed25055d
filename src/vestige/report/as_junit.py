"""The record as JUnit XML, for what shows tests: what ends a run with exit code 1 is a failure, and nothing else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree as ET

from vestige.audit.result import AuditResult
from vestige.preflight import Preflight

_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Tested:
    """One test case and how it came out; `said` are the words for it."""

    suite: str
    name: str
    outcome: Literal["passed", "failure", "skipped", "error"]
    said: str


def as_junit(result: AuditResult) -> str:
    """Each limit and check of the preflight passes or fails.

    A finding is a measurement and passes; one that cannot be trusted, like a question that was not asked, is skipped.
    """
    return _document([*_of_preflight(result.preflight), *_of_audit(result)])


def error_as_junit(message: str) -> str:
    """A run that ended before there was any result: one test, which could not be run."""
    return _document([Tested("run", "audit", "error", message)])


def _document(cases: list[Tested]) -> str:
    root = ET.Element("testsuites", {"name": "vestige", **_counts(cases)})
    for suite in dict.fromkeys(case.suite for case in cases):
        own = [case for case in cases if case.suite == suite]
        branch = ET.SubElement(root, "testsuite", {"name": f"vestige.{suite}", **_counts(own)})
        for case in own:
            _add(branch, case)
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _of_preflight(preflight: Preflight | None) -> Iterator[Tested]:
    for check in () if preflight is None else preflight.checks:
        outcome: Literal["passed", "failure"] = "failure" if check.level == "error" else "passed"
        yield Tested("preflight", check.name, outcome, f"{check.level}: {check.sentence}")


def _of_audit(result: AuditResult) -> Iterator[Tested]:
    for finding in result.findings:
        doubts = " ".join(finding.warnings)
        said = doubts or f"{finding.level}: {finding.summary}"
        yield Tested("findings", finding.probe, "skipped" if doubts else "passed", said)
    for asked in result.not_run:
        yield Tested("findings", asked.probe, "skipped", f"{asked.reason}; {asked.remedy}")
    for gate in result.gates:
        yield Tested("limits", gate.gate, "passed" if gate.held else "failure", gate.explanation)


def _add(suite: ET.Element, case: Tested) -> None:
    element = ET.SubElement(suite, "testcase", classname=f"vestige.{case.suite}", name=_allowed(case.name), time="0")
    said = _allowed(case.said)
    if case.outcome == "passed":
        ET.SubElement(element, "system-out").text = said
    else:
        ET.SubElement(element, case.outcome, message=said).text = said


def _counts(cases: list[Tested]) -> dict[str, str]:
    found: list[str] = [case.outcome for case in cases]
    named = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    return {"tests": str(len(cases)), **{name: str(found.count(each)) for name, each in named.items()}, "time": "0"}


def _allowed(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return _FORBIDDEN.sub("?", text)
