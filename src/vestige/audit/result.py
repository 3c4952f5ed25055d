"""The record of an audit: all that a report may read."""

from dataclasses import dataclass

from vestige.case.findings import Finding, Level, NotApplicable, Subject
from vestige.case.settings import Settings
from vestige.preflight.result import Preflight

SCHEMA = 2


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """A limit the owner set, and whether it held."""

    gate: str
    held: bool
    explanation: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The audit in plain words."""

    level: Level
    headline: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuditResult:
    """All findings, and everything that is required to repeat the audit.

    `pending` names the probes that have not run yet: a result with any is that of an audit that was stopped.
    """

    schema: int
    version: str
    verdict: Verdict
    findings: tuple[Finding, ...]
    not_run: tuple[NotApplicable, ...]
    gates: tuple[GateOutcome, ...]
    subject: Subject
    settings: Settings
    preflight: Preflight | None = None
    pending: tuple[str, ...] = ()
