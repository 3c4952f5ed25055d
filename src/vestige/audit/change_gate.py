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

OPT_OUT = "give both audits the same attacker, or accept the difference with --allow-other-attacker"


@dataclass(frozen=True, slots=True)
class Doubts:
    """Why a gate cannot hold, whatever the differences are.

    `lost` names the probes that should have been compared and could not be, because of NEW or because they ran on
    neither side. `weaker` lists what the attacker of NEW has less of.
    """

    lost: tuple[str, ...] = ()
    weaker: tuple[str, ...] = ()

    def explain_attacker(self) -> str:
        """Why the attacker of NEW may have recovered less, and the remedy."""
        return f"could not be checked: the attacker of NEW may be weaker ({', '.join(self.weaker)}); {OPT_OUT}"


@dataclass(frozen=True, slots=True)
class WorseGate:
    """Fails if any probe is worse, if one that should be compared could not be, or if the attacker of NEW is weaker.

    Otherwise a change could pass by breaking the probe that would notice it, or by weakening the attacker.
    """

    def check(self, changes: Sequence[ProbeChange], doubts: Doubts) -> GateOutcome:
        """An increase is named first: it was seen in spite of all doubts."""
        compared = [change for change in changes if change.difference is not None]
        worse = [f"{change.probe} {change.difference.value:+.4f}" for change in compared if change.change == WORSE]  # type: ignore[union-attr]
        if worse:
            return GateOutcome(WORSE, False, f"the leakage rose: {', '.join(worse)}")
        if doubts.lost or not compared:
            which = ", ".join(doubts.lost) or "any probe"
            return GateOutcome(WORSE, False, f"could not be checked: NEW has nothing to compare for {which}")
        if doubts.weaker:
            return GateOutcome(WORSE, False, doubts.explain_attacker())
        return GateOutcome(WORSE, True, f"none of {len(compared)} compared probes is worse")


@dataclass(frozen=True, slots=True)
class DifferenceGate:
    """Fails if the difference of one probe meets the condition."""

    gate: Gate

    def check(self, changes: Sequence[ProbeChange], doubts: Doubts) -> GateOutcome:
        """Check the limit; a probe that cannot be compared does not pass, nor does any with a weaker attacker."""
        expression, probe = self.gate.expression, self.gate.probe
        change = next((change for change in changes if change.probe == probe), None)
        if change is None or change.difference is None:
            reason = "it ran on neither side" if change is None else change.reason
            return GateOutcome(expression, False, f"'{probe}' could not be compared: {reason}")
        score = change.difference
        doubt = "; the interval includes the limit" if score.low <= self.gate.limit <= score.high else ""
        explanation = f"leakage of '{probe}' changed by {format_change(score)}{doubt}"
        if self.gate.is_met(score) or not doubts.weaker:
            return GateOutcome(expression, not self.gate.is_met(score), explanation)
        return GateOutcome(expression, False, doubts.explain_attacker())


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
