"""Conditions that fail a comparison: `worse`, or such as `words>+0.02` for an increase of the leakage above 0.02."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestige.audit.comparison import ProbeChange
from vestige.audit.gate import Gate, parse_gate
from vestige.audit.result import GateOutcome
from vestige.case.display import format_change
from vestige.errors import InputError
from vestige.probes.probe import Probe

WORSE = "worse"


@dataclass(frozen=True, slots=True)
class WorseGate:
    """Fails if any probe is worse, or if one that BASE measured could not be compared because of NEW.

    Otherwise a change could pass by breaking the probe that would notice it.
    """

    def check(self, changes: Sequence[ProbeChange], lost: Sequence[str]) -> GateOutcome:
        """`lost` names the probes with a sound finding in BASE, and none in NEW that can be compared with it."""
        compared = [change for change in changes if change.difference is not None]
        worse = [f"{change.probe} {change.difference.value:+.4f}" for change in compared if change.change == WORSE]  # type: ignore[union-attr]
        if worse:
            return GateOutcome(WORSE, False, f"the leakage rose: {', '.join(worse)}")
        if lost or not compared:
            which = ", ".join(lost) or "any probe"
            return GateOutcome(WORSE, False, f"could not be checked: NEW has nothing to compare for {which}")
        return GateOutcome(WORSE, True, f"none of {len(compared)} compared probes is worse")


@dataclass(frozen=True, slots=True)
class DifferenceGate:
    """Fails if the difference of one probe meets the condition."""

    gate: Gate

    def check(self, changes: Sequence[ProbeChange], lost: Sequence[str]) -> GateOutcome:  # noqa: ARG002
        """Check the limit; a probe that cannot be compared does not pass."""
        expression, probe = self.gate.expression, self.gate.probe
        change = next((change for change in changes if change.probe == probe), None)
        if change is None or change.difference is None:
            reason = "it ran on neither side" if change is None else change.reason
            return GateOutcome(expression, False, f"'{probe}' could not be compared: {reason}")
        score = change.difference
        doubt = "; the interval includes the limit" if score.low <= self.gate.limit <= score.high else ""
        explanation = f"leakage of '{probe}' changed by {format_change(score)}{doubt}"
        return GateOutcome(expression, not self.gate.is_met(score), explanation)


def parse_change_gate(expression: str, probes: Sequence[Probe]) -> WorseGate | DifferenceGate:
    """Parse `worse` or `PROBE>+LIMIT`, the latter with `.low` or `.high` for an end of the interval."""
    if expression.strip() == WORSE:
        return WorseGate()
    if ">" not in expression and "<" not in expression:
        raise InputError(f"condition '{expression}' cannot be read; expected 'worse' or a form such as 'words>+0.02'")
    gate = parse_gate(expression, probes)
    if gate.measure is not None:
        raise InputError(
            f"condition '{expression}' names a measure; a comparison is about the leakage, "
            f"such as '{gate.probe}{gate.comparison}{gate.limit:+g}'"
        )
    return DifferenceGate(gate)
