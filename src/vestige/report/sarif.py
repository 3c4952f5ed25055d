"""An audit as SARIF 2.1.0, for services that show the findings of tools next to the code.

The file has only results that failed: code scanning at GitHub ignores `kind` and shows every result as an alert. What
passed is in the other reports, and the rules list everything that was checked.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal
from urllib.parse import quote

import vestige
from vestige.audit.result import AuditResult
from vestige.case.findings import Level
from vestige.preflight import CheckLevel, Preflight

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

Kind = Literal["fail", "pass", "open", "notApplicable"]

FINDING_LEVELS: dict[Level, tuple[Kind, str]] = {
    "severe": ("fail", "error"),
    "substantial": ("fail", "warning"),
    "slight": ("fail", "note"),
    "none": ("pass", "none"),
    "unknown": ("open", "none"),
}
CHECK_LEVELS: dict[CheckLevel, tuple[Kind, str]] = {
    "error": ("fail", "error"),
    "warning": ("fail", "warning"),
    "note": ("fail", "note"),
    "ok": ("pass", "none"),
}
"""A result that did not fail is not written."""


@dataclass(frozen=True, slots=True)
class SarifResult:
    """One result: its rule, the question of the rule, the outcome, and the message.

    `key` distinguishes it from other results of the same rule, and is the same in every run.
    """

    rule: str
    question: str
    kind: Kind
    level: str
    message: str
    properties: dict[str, float]
    key: str = ""


def build_sarif(result: AuditResult) -> str:
    """Checks of the preflight, findings and limits that failed as results; everything that was asked as a rule."""
    about = result.subject.vectors or result.subject.corpus or "vectors"
    entries = [*_list_checks(result.preflight), *_list_findings(result)]
    return render_sarif(entries, about, complete=not result.pending)


def render_sarif(entries: Sequence[SarifResult], about: str, *, complete: bool = True) -> str:
    """A run; `about` is the file that its results are shown at. One that was stopped is marked as not successful."""
    rules = list(dict.fromkeys((entry.rule, entry.question) for entry in entries))
    places = {rule: place for place, (rule, _) in enumerate(rules)}
    results = [_render_result(entry, places[entry.rule], about) for entry in entries if entry.kind == "fail"]
    listed = [{"id": rule, "shortDescription": {"text": _escape(question)}} for rule, question in rules]
    return _log({"executionSuccessful": complete}, results, listed)


def build_sarif_error(message: str, exit_code: int) -> str:
    """A run that failed before any result; the standard forbids that its results look complete."""
    notification = {"level": "error", "message": {"text": _escape(message)}}
    ended = {"executionSuccessful": False, "exitCode": exit_code, "toolExecutionNotifications": [notification]}
    return _log(ended, [], [])


def _log(invocation: dict[str, Any], results: list[Any], rules: list[Any]) -> str:
    driver = {
        "name": "Vestige",
        "version": vestige.__version__,
        "semanticVersion": vestige.__version__,
        "rules": rules,
    }
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": results}
    return json.dumps({"version": "2.1.0", "$schema": SCHEMA, "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _list_checks(preflight: Preflight | None) -> Iterator[SarifResult]:
    for check in () if preflight is None else preflight.checks:
        kind, level = CHECK_LEVELS[check.level]
        rule = f"preflight/{check.name}"
        key = re.sub(r"\d[\d.,%]*", "", check.sentence)
        yield SarifResult(rule, f"Preflight: {check.name}", kind, level, check.sentence, dict(check.evidence), key)


def _list_findings(result: AuditResult) -> Iterator[SarifResult]:
    for finding in result.findings:
        kind, level = FINDING_LEVELS["unknown" if finding.warnings else finding.level]
        leakage = {name: getattr(finding.leakage, name) for name in ("value", "low", "high", "n")}
        message = " ".join(finding.warnings) or finding.summary
        yield SarifResult(f"audit/{finding.probe}", finding.question, kind, level, message, leakage)
    for skipped in result.not_run:
        message = f"Not run: {skipped.reason}; {skipped.remedy}."
        yield SarifResult(f"audit/{skipped.probe}", skipped.question, "notApplicable", "none", message, {})
    for probe in result.pending:
        message = "The audit was stopped before this probe ran."
        yield SarifResult(f"audit/{probe}", f"The probe {probe}", "open", "none", message, {})
    for gate in result.gates:
        outcome: tuple[Kind, str] = ("pass", "none") if gate.held else ("fail", "error")
        message = f"{gate.gate}: {gate.explanation}"
        yield SarifResult("audit/limit", "Do the owner's limits hold?", *outcome, message, {}, gate.gate)


def _render_result(entry: SarifResult, place: int, about: str) -> dict[str, Any]:
    fingerprint = sha256("\n".join([entry.rule, about, entry.key]).encode()).hexdigest()
    return {
        "ruleId": entry.rule,
        "ruleIndex": place,
        "kind": entry.kind,
        "level": entry.level,
        "message": {"text": _escape(entry.message)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": quote(about, safe="/")}}}],
        "partialFingerprints": {"vestige/v1": fingerprint[:32]},
        "properties": {name: round(value, 6) for name, value in entry.properties.items()},
    }


def _escape(text: str) -> str:
    """Escape braces and square brackets, which have a meaning in SARIF messages."""
    return text.replace("{", "{{").replace("}", "}}").replace("[", "\\[").replace("]", "\\]")
