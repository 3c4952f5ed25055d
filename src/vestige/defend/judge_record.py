"""The record of a judgement: what somebody else's defense hides, from whom, and at which cost."""

from dataclasses import dataclass
from typing import Literal

from vestige.case.codec import round_fields
from vestige.case.display import format_value, render_fragment
from vestige.defend.record import DefendResult, DefenseTrial
from vestige.types import Score
from vestige.utility.neighbours import Metric

SCHEMA = 1
JUDGED = "judged"
"""The name of the judged defense among ours."""

UNNAMED = "vectors"
"""Stands for a table that was passed in Python."""

Effect = Literal["hidden", "reduced", "obscurity", "not hidden", "nothing to hide"]
"""What became of the leakage of one probe under the stronger adversary: less than half of it is left; it is lower, with
disjoint intervals; only a naive adversary is stopped; no difference is seen; or the raw vectors leak nothing."""

Label = Literal["effective", "partial", "obscurity", "delay", "no effect", "nothing to hide"]


@dataclass(frozen=True, slots=True)
class ProbeEffect:
    """One probe before and after: leakage of the raw vectors, and of the protected ones to both adversaries."""

    probe: str
    effect: Effect
    raw: Score
    adaptive: Score
    naive: Score | None

    @property
    def left(self) -> float:
        """How much the stronger adversary may still recover: the upper end of the interval."""
        return max(score.high for score in (self.adaptive, self.naive) if score is not None)


@dataclass(frozen=True, slots=True, repr=False)
class JudgeResult:
    """The judgement, and the sweep that it rests on, in which the judged defense is called "judged".

    `label` is "effective" if all that attackers with pairs recovered is hidden and little of it is left, "partial" if
    some of it is hidden or reduced, and "obscurity" if only a naive adversary is stopped. `beaten_by` names our
    defenses that leak less of the sweep's probe and find more neighbours; it is empty on the frontier. `queries` names
    the protected queries, and `metric` is how they are compared with rows.
    """

    schema: int
    version: str
    label: Label
    headline: str
    sentences: tuple[str, ...]
    effects: tuple[ProbeEffect, ...]
    beaten_by: tuple[str, ...]
    raw: str
    protected: str
    queries: str | None
    sweep: DefendResult
    metric: Metric = "cosine"

    def __post_init__(self) -> None:
        """Hold the numbers as they are written."""
        round_fields(self)

    @property
    def trial(self) -> DefenseTrial:
        """The scores of the judged defense."""
        return self.sweep[JUDGED]

    def __getitem__(self, probe: str) -> ProbeEffect:
        """The effect on one probe, by its name."""
        return {effect.probe: effect for effect in self.effects}[probe]

    def __repr__(self) -> str:
        lines = [f"JudgeResult: {self.headline}"]
        return "\n".join([*lines, *(f"  {': '.join(row[:2])}; {', '.join(row[2:])}" for row in self.rows())])

    def _repr_html_(self) -> str:
        return render_fragment(
            self.headline, self.sentences, ("probe", "effect", "raw", "adaptive", "naive"), self.rows()
        )

    def rows(self) -> list[tuple[str, ...]]:
        """The effects as text: the probe, what became of it, and the leakages."""
        return [
            (each.probe, each.effect, *map(format_value, (each.raw, each.adaptive, each.naive)))
            for each in self.effects
        ]
