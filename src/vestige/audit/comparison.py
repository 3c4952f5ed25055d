"""The record of a comparison of two audits: all that a page about it may read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from vestige.audit.result import GateOutcome
from vestige.case.codec import round_fields
from vestige.case.display import build_frame, find_by_name, format_change, format_value, render_fragment
from vestige.case.findings import Level, Subject
from vestige.types import Score

SCHEMA = 1

Change = Literal["worse", "better", "undecided", "no difference", "not comparable"]


@dataclass(frozen=True, slots=True)
class ProbeChange:
    """How the leakage of one probe changed. `base` and `new` are None on the side where the probe has no finding.

    `difference` is the leakage of NEW minus that of BASE. Its interval allows for all probes that were compared; None
    if the two cannot be compared. `paired` means that both runs scored the same targets. `reason` says why they could
    not be paired, or not be compared.
    """

    probe: str
    question: str
    change: Change
    base: Score | None
    new: Score | None
    difference: Score | None
    paired: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the two audits: its name, who made it, its verdict, what it audited and which probes are pending."""

    name: str
    version: str
    level: Level
    headline: str
    subject: Subject
    pending: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InputChange:
    """An input or a setting that is not the same in both runs."""

    name: str
    base: str
    new: str


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """The changes between two audits, and whether the owner's conditions held.

    `change` is that of the most serious probe: worse, then better, then undecided. "no difference" means that the two
    findings are identical, target by target.
    """

    schema: int
    version: str
    change: Change
    headline: str
    sentences: tuple[str, ...]
    base: ComparedRun
    new: ComparedRun
    changes: tuple[ProbeChange, ...]
    inputs: tuple[InputChange, ...]
    gates: tuple[GateOutcome, ...]

    def __post_init__(self) -> None:
        """Hold the numbers as they are written."""
        round_fields(self)

    def __getitem__(self, probe: str) -> ProbeChange:
        """The change of a probe by its name."""
        return find_by_name(probe, {change.probe: change for change in self.changes}, "probe of this comparison")

    def __contains__(self, probe: object) -> bool:
        return any(change.probe == probe for change in self.changes)

    def __iter__(self) -> Iterator[ProbeChange]:
        return iter(self.changes)

    def to_frame(self) -> Any:
        """A pandas data frame with one row per probe."""
        return build_frame(
            {
                "probe": change.probe,
                "change": change.change,
                "base": None if change.base is None else change.base.value,
                "new": None if change.new is None else change.new.value,
                "difference": None if change.difference is None else change.difference.value,
                "low": None if change.difference is None else change.difference.low,
                "high": None if change.difference is None else change.difference.high,
                "paired": change.paired,
                "reason": change.reason,
            }
            for change in self.changes
        )

    def __repr__(self) -> str:
        lines = [f"Comparison: {self.headline}"]
        lines += [f"  {probe}: {change}, {difference}" for probe, _, _, difference, change in self._rows()]
        return "\n".join([*lines, *(f"  {_describe_gate(gate)}" for gate in self.gates)])

    def _repr_html_(self) -> str:
        heads = ("probe", "base", "new", "difference", "")
        return render_fragment(self.headline, map(_describe_gate, self.gates), heads, self._rows())

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (
                change.probe,
                format_value(change.base),
                format_value(change.new),
                change.reason if change.difference is None else format_change(change.difference),
                change.change,
            )
            for change in self.changes
        ]


def _describe_gate(gate: GateOutcome) -> str:
    return f"{'held' if gate.held else 'FAILED'}: {gate.gate}: {gate.explanation}"
