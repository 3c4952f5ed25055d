"""A table run again: what a paper printed, what was measured here, and what differs."""

from dataclasses import dataclass

from vestige.types import Score

SCHEMA = 1

PAPER, OURS, PRIOR = "the paper's recipe", "our default", "guessing"
"""Who made a line of figures: the attack as published, as it runs here by default, the best guess without vectors."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one attack reached: a score a column, None where the column asks nothing of it."""

    by: str
    scores: tuple[Score | None, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the paper, in percent as printed, and under it what stands for it here.

    `here` names the encoder that was attacked; `note` says why there are no lines, where there are none; `samples` are
    what an attack read out of single texts, or what goes into a figure, in sentences.
    """

    section: str
    model: str
    here: str
    published: tuple[float | None, ...]
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
    """A score against what was varied."""

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
class Findings:
    """What running a table gives: its rows and, where the paper draws, its plots; and what differs, in sentences."""

    rows: tuple[Row, ...]
    differs: tuple[str, ...]
    plots: tuple[Plot, ...] = ()


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A whole reproduction. The same seed, scale and data give the same record, but for the minutes it took.

    `encoders` are those that were named in place of the stand-ins.
    """

    schema: int
    version: str
    paper: str
    table: str
    title: str
    citation: str
    scale: str
    seed: int
    encoders: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    differs: tuple[str, ...]
    plots: tuple[Plot, ...]
    minutes: float
