"""The record of a reproduced table: published figures, measured scores, and notes on what differs."""

from dataclasses import dataclass

from vestige.types import Score, TrainingLog

SCHEMA = 2

CLOSED_FORM = TrainingLog("closed form: nothing is trained", converged=True, steps=0)
"""How an attack ends that is solved, not trained."""

Figure = float | str
"""A figure of the paper in percent; a string where the paper gives a bound or a rough value, such as "< 10"."""

PAPER, OURS, PRIOR = "the paper's recipe", "our default", "guessing"
"""What made a line of scores: the attack as published, our default settings, the best guess without vectors."""


@dataclass(frozen=True, slots=True)
class Line:
    """The scores of one attack, one per column; None where the column does not apply to it.

    `logs` says how each of its trainings ended; without any, this was not recorded. `seconds` is the processor time of
    fitting and inferring, without that of encoding.
    """

    by: str
    scores: tuple[Score | None, ...]
    logs: tuple[TrainingLog, ...] = ()
    seconds: float | None = None

    @property
    def converged(self) -> bool | None:
        """Whether every training ended by its rule; None where that was not recorded."""
        if self.by == PRIOR:
            return True
        return all(log.converged for log in self.logs) if self.logs else None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the paper, in percent as printed, and the lines that were measured here.

    `here` names the encoder under attack; `note` says why a row has no lines; `samples` are sentences on what an attack
    recovered from single texts, or on values that are no percentages.
    """

    section: str
    model: str
    here: str
    published: tuple[Figure | None, ...]
    lines: tuple[Line, ...]
    note: str = ""
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """A score at a place on the x-axis."""

    at: float
    score: Score


@dataclass(frozen=True, slots=True)
class Curve:
    """A score against the quantity that was varied."""

    label: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves over one pair of axes; the y-axis goes from 0 to 1."""

    title: str
    across: str
    up: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A whole reproduction. The same seed, scale and data give the same record, except for minutes and seconds.

    `changes` are the sizes that the user set, as in "epochs=30"; `models` and `sections` those that were asked for, all
    if empty. `encoders` are those that the user named instead of stand-ins; `differs` are notes on how the run differs
    from the paper.
    """

    schema: int
    version: str
    paper: str
    table: str
    title: str
    citation: str
    scale: str
    changes: tuple[str, ...]
    models: tuple[str, ...]
    sections: tuple[str, ...]
    device: str
    seed: int
    encoders: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    differs: tuple[str, ...]
    plots: tuple[Plot, ...]
    minutes: float
