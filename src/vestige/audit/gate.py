"""Limits of the owner: `words>0.30` fails the audit if the leakage of `words` is above 0.30.

`words.low>0.30` fails it if the whole interval is, and `words.high>0.30` if any of it is.
"""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vestige.audit.result import GateOutcome
from vestige.case.findings import QUERIES, Finding
from vestige.errors import InputError
from vestige.probes.probe import Probe
from vestige.registry import nearest
from vestige.types import Score

_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_GATE = re.compile(
    r"\s*([a-z-]+)(?:\.(?!(?:low|high)\b)([a-z0-9_]+))?(?:\.(low|high))?"
    r"\s*(>=|<=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)\s*"
)


@dataclass(frozen=True, slots=True)
class Gate:
    """A condition that fails the audit when it is met. Without a measure it applies to the leakage."""

    expression: str
    probe: str
    measure: str | None
    comparison: str
    limit: float
    end: str | None = None

    def check(self, findings: Sequence[Finding], pending: Sequence[str] = ()) -> GateOutcome:
        """Check the limit; a probe that did not run, or is still pending, does not pass."""
        finding = next((finding for finding in findings if finding.probe == self.probe), None)
        if finding is None:
            when = "has not run yet" if self.probe in pending else "did not run"
            return GateOutcome(self.expression, False, f"'{self.probe}' {when}, so the limit could not be checked")
        if finding.warnings:
            return GateOutcome(
                self.expression, False, f"the finding of '{self.probe}' has a warning, so it decides nothing"
            )
        if self.measure is not None and self.measure not in {measure.name for measure in finding.measures}:
            return GateOutcome(
                self.expression, False, f"'{self.measure}' of '{self.probe}' does not apply to these data"
            )
        score, what = self._score(finding)
        held = not self.is_met(score)
        doubt = "; the interval includes the limit" if score.low <= self.limit <= score.high else ""
        return GateOutcome(
            self.expression,
            held,
            f"{what} is {score.value:.4f} (95% interval {score.low:.4f} to {score.high:.4f}){doubt}"
            f"{self._fewest(finding)}",
        )

    def is_met(self, score: Score) -> bool:
        """Whether the score, or the end of its interval that the gate names, meets the condition."""
        return _COMPARISONS[self.comparison](score.value if self.end is None else getattr(score, self.end), self.limit)

    def _fewest(self, finding: Finding) -> str:
        """For a probe with several budgets, the fewest queries whose gain over guessing meets the condition."""
        budgets = [each for each in finding.measures if each.name.startswith(QUERIES)] if self.measure is None else []
        compare = _COMPARISONS[self.comparison]
        first = next((each for each in budgets if compare(each.attack.value - each.prior.value, self.limit)), None)
        return "" if first is None else f"; met with {int(first.name.removeprefix(QUERIES)):,} queries or more"

    def _score(self, finding: Finding) -> tuple[Score, str]:
        if self.measure is None:
            return finding.leakage, f"leakage of '{self.probe}'"
        return finding.measure(self.measure).attack, f"{self.measure} of '{self.probe}'"


def parse_gate(expression: str, probes: Sequence[Probe]) -> Gate:
    """Parse `PROBE>LIMIT` or `PROBE.MEASURE>LIMIT`, each with `.low` or `.high` for an end of the interval."""
    match = _GATE.fullmatch(expression)
    if match is None:
        raise InputError(
            f"gate '{expression}' cannot be read; expected a form such as 'words>0.30' or 'words.recall>0.5'"
        )
    probe, measure, end, comparison, limit = match.groups()
    named = {known.name: known for known in probes}
    if probe not in named:
        raise InputError(f"gate '{expression}' names no probe; {nearest(probe, named)}")
    if measure is not None and measure not in named[probe].measures:
        raise InputError(f"gate '{expression}' names no measure; {nearest(measure, [*named[probe].measures])}")
    if abs(float(limit)) > 1:
        raise InputError(
            f"gate '{expression}' always has the same outcome: scores are at most 1; write 0.30 for 30 percent"
        )
    return Gate(expression.strip(), probe, measure, comparison, float(limit), end)
