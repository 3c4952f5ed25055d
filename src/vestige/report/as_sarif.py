"""The record as SARIF 2.1.0, for what shows findings of tools beside the code they are about."""

import json
import re
from collections.abc import Iterator
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

OF_FINDING: dict[Level, tuple[Kind, str]] = {
    "severe": ("fail", "error"),
    "substantial": ("fail", "warning"),
    "slight": ("fail", "note"),
    "none": ("pass", "none"),
    "unknown": ("open", "none"),
}
OF_CHECK: dict[CheckLevel, tuple[Kind, str]] = {
    "error": ("fail", "error"),
    "warning": ("fail", "warning"),
    "note": ("fail", "note"),
    "ok": ("pass", "none"),
}
"""By the standard, what did not fail has the level "none"."""


@dataclass(frozen=True, slots=True)
class Told:
    """One result: the rule it is of, what that rule asks, how it came out, and the words for it.

    `key` tells it from others of its rule, and is the same from run to run.
    """

    rule: str
    asks: str
    kind: Kind
    level: str
    message: str
    properties: dict[str, float]
    key: str = ""


def as_sarif(result: AuditResult) -> str:
    """Each finding, question that was not asked, limit and check of the preflight as a result."""
    told = [*_of_preflight(result.preflight), *_of_audit(result)]
    rules = list(dict.fromkeys((each.rule, each.asks) for each in told))
    places = {rule: place for place, (rule, _) in enumerate(rules)}
    about = result.subject.vectors or result.subject.corpus or "vectors"
    results = [_result(each, places[each.rule], about) for each in told]
    listed = [{"id": rule, "shortDescription": {"text": _plain(asks)}} for rule, asks in rules]
    return _log({"executionSuccessful": True}, results, listed)


def error_as_sarif(message: str, exit_code: int) -> str:
    """A run that ended before there was any result: by the standard, no result of it may pass for complete."""
    notification = {"level": "error", "message": {"text": _plain(message)}}
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


def _of_preflight(preflight: Preflight | None) -> Iterator[Told]:
    for check in () if preflight is None else preflight.checks:
        kind, level = OF_CHECK[check.level]
        rule = f"preflight/{check.name}"
        key = re.sub(r"\d[\d.,%]*", "", check.sentence)
        yield Told(rule, f"Preflight: {check.name}", kind, level, check.sentence, dict(check.evidence), key)


def _of_audit(result: AuditResult) -> Iterator[Told]:
    for finding in result.findings:
        kind, level = OF_FINDING["unknown" if finding.warnings else finding.level]
        leakage = {name: getattr(finding.leakage, name) for name in ("value", "low", "high", "n")}
        message = " ".join(finding.warnings) or finding.summary
        yield Told(f"audit/{finding.probe}", finding.question, kind, level, message, leakage)
    for asked in result.not_run:
        message = f"Not asked: {asked.reason}; {asked.remedy}."
        yield Told(f"audit/{asked.probe}", asked.question, "notApplicable", "none", message, {})
    for gate in result.gates:
        held: tuple[Kind, str] = ("pass", "none") if gate.held else ("fail", "error")
        message = f"{gate.gate}: {gate.explanation}"
        yield Told("audit/limit", "Do the limits of the owner hold?", *held, message, {}, gate.gate)


def _result(told: Told, place: int, about: str) -> dict[str, Any]:
    same = sha256("\n".join([told.rule, about, told.key]).encode()).hexdigest()
    return {
        "ruleId": told.rule,
        "ruleIndex": place,
        "kind": told.kind,
        "level": told.level,
        "message": {"text": _plain(told.message)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": quote(about, safe="/")}}}],
        "partialFingerprints": {"vestige/v1": same[:32]},
        "properties": {name: round(value, 6) for name, value in told.properties.items()},
    }


def _plain(text: str) -> str:
    """Braces and square brackets mean something in a message of SARIF."""
    return text.replace("{", "{{").replace("}", "}}").replace("[", "\\[").replace("]", "\\]")
