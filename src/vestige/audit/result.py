"""The record of an audit: all that a report may read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from vestige.case.codec import round_fields
from vestige.case.display import build_frame, find_by_name, format_value, render_fragment
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


@dataclass(frozen=True, slots=True, repr=False)
class AuditResult:
    """All findings, and everything that is required to repeat the audit.

    `result["words"]` is the finding of the probe `words`. `pending` names the probes that have not run yet: a result
    with any is that of an audit that was stopped.
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

    def __post_init__(self) -> None:
        """Hold the numbers as they are written."""
        round_fields(self)

    def __getitem__(self, probe: str) -> Finding:
        """The finding of a probe by its name; a KeyError says why there is none."""
        return find_by_name(probe, {each.probe: each for each in self.findings}, "probe", self._explain_absence(probe))

    def __contains__(self, probe: object) -> bool:
        return any(finding.probe == probe for finding in self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def to_frame(self) -> Any:
        """A pandas data frame with one row per measure; the row of a finding's headline measure has its leakage."""
        return build_frame(
            {
                "probe": finding.probe,
                "measure": measure.name,
                "attack": measure.attack.value,
                "low": measure.attack.low,
                "high": measure.attack.high,
                "prior": measure.prior.value,
                "control": measure.control.value,
                "n": measure.attack.n,
                **_list_leakage(finding, headline=measure.name == finding.headline),
            }
            for finding in self.findings
            for measure in finding.measures
        )

    def __repr__(self) -> str:
        lines = [f"AuditResult: {self.verdict.headline}"]
        lines += [f"  {probe}: {level}, leakage {leakage}" for probe, leakage, level in self._rows()]
        lines += [f"  not run: {', '.join(skipped.probe for skipped in self.not_run)}"] if self.not_run else []
        lines += [f"  pending: {', '.join(self.pending)}"] if self.pending else []
        return "\n".join([*lines, *(f"  {line}" for line in self._list_gates())])

    def _repr_html_(self) -> str:
        notes = [f"Stopped before: {', '.join(self.pending)}"] if self.pending else []
        return render_fragment(
            self.verdict.headline, [*notes, *self._list_gates()], ("probe", "leakage", "level"), self._rows()
        )

    def _rows(self) -> list[tuple[str, str, str]]:
        return [
            (each.probe, format_value(each.leakage), "unknown" if each.warnings else each.level)
            for each in self.findings
        ]

    def _list_gates(self) -> list[str]:
        return [f"{'held' if gate.held else 'FAILED'}: {gate.gate}: {gate.explanation}" for gate in self.gates]

    def _explain_absence(self, probe: str) -> str:
        skipped = next((skipped for skipped in self.not_run if skipped.probe == probe), None)
        if skipped is not None:
            return f"did not run: {skipped.reason}; {skipped.remedy}"
        if probe in self.pending:
            return "has not run yet: the audit was stopped"
        chosen = self.settings.probes
        return "is not among the probes that were chosen" if chosen and probe not in chosen else ""


def _list_leakage(finding: Finding, *, headline: bool) -> dict[str, float | None]:
    names = {"leakage": "value", "leakage_low": "low", "leakage_high": "high"}
    return {name: getattr(finding.leakage, part) if headline else None for name, part in names.items()}
