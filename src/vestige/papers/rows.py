"""Rows of a table: planned, measured once, and read back from disk when a stopped run continues."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from vestige.case.cache import compute_digest, read_cached, write_cached
from vestige.errors import InputError, MissingExtra
from vestige.papers.published import Columns, Sections
from vestige.papers.record import Curve, Line, Point, Row
from vestige.papers.run import PaperRun
from vestige.papers.victims import MissingModel, Victim, Victims
from vestige.registry import nearest

Lines = Callable[[Victim], Iterable[Line | str]]
"""Attack an encoder: one line of scores per attack, and samples in words."""


@dataclass(frozen=True)
class Place:
    """The section and name of a row with the figures that the paper prints for it, and where plots show the row.

    `at` is its place on the x-axis; `curve` distinguishes its curves from those of other rows.
    """

    section: str
    model: str
    published: Columns
    at: float = 0.0
    curve: str = ""

    @property
    def name(self) -> str:
        """How an error names the row."""
        return f"'{self.model}' of '{self.section}'"


@dataclass(frozen=True)
class PlannedRow:
    """A row that is yet to be measured: `measure` runs its attacks on the encoder that is called `here`.

    `depends_on` holds all that the figures depend on besides the code, the sizes, the seed and the place; a finished
    row is stored under it. A row with a `note` has no figures, and the note says why.
    """

    place: Place
    here: str
    measure: Callable[[], Iterable[Line | str]] = tuple
    depends_on: tuple[object, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class MeasuredRow:
    """A finished row, and where plots show it."""

    place: Place
    row: Row


def plan_row(place: Place, target: Victim | MissingModel, texts: object, lines: Lines) -> PlannedRow:
    """A row that attacks one encoder with these texts; skipped where no encoder stands in for the model."""
    if isinstance(target, MissingModel):
        return skip_row(place, target.here, target.reason)
    return PlannedRow(place, target.here, lambda: lines(target), (target.encoder, texts))


def plan_rows(printed: Sections, targets: Victims, texts: object, lines: Lines) -> list[PlannedRow]:
    """One row for each section and model that the paper prints, all with the same texts and attacks."""
    return [
        plan_row(Place(section, model, figures), targets[model], texts, lines)
        for section, models in printed.items()
        for model, figures in models.items()
    ]


def skip_row(place: Place, here: str, reason: str) -> PlannedRow:
    """A row without figures."""
    return PlannedRow(place, here, note=f"skipped: {reason}")


class RowSelection:
    """The rows of these models and sections, upper and lower case alike; of all if none are named.

    A model stands for all its rows: "BERT" also for "BERT, layer 3" and "BERT*".
    """

    def __init__(self, models: Iterable[str], sections: Iterable[str]) -> None:
        self.models = {name.lower(): name for name in models}
        self.sections = {name.lower(): name for name in sections}
        self.planned_models: set[str] = set()
        self.planned_sections: set[str] = set()

    def includes(self, place: Place) -> bool:
        """Whether the row at this place was asked for."""
        model, section = re.split(r"[,*]", place.model.lower())[0], place.section.lower()
        self.planned_models.add(model)
        self.planned_sections.add(section)
        return (not self.models or model in self.models) and (not self.sections or section in self.sections)

    def check(self, table: str) -> None:
        """Raise if a model or a section was asked for that the table does not have."""
        for what, named, known in (
            ("model", self.models, self.planned_models),
            ("section", self.sections, self.planned_sections),
        ):
            for key, name in named.items():
                if key not in known:
                    raise InputError(f"{table} has no {what} '{name}'; {nearest(name, list(known))}")


def digest_row(run: PaperRun[object], table: str, planned: PlannedRow) -> str:
    """A digest of all that the figures of a row depend on."""
    place = planned.place
    position = table, place.section, place.model, place.published
    return compute_digest(run.sizes, run.seed, run.device, *position, *planned.depends_on)


@dataclass(frozen=True)
class StoredRow:
    """Where a finished row is stored in the cache of a run, if it has one."""

    run: PaperRun[object]
    table: str
    planned: PlannedRow

    @cached_property
    def digest(self) -> str:
        """A digest of all that the figures depend on; empty if nobody needs it."""
        needed = not self.planned.note and (self.run.cache is not None or self.run.engine.is_cluster)
        return digest_row(self.run, self.table, self.planned) if needed else ""

    def read(self) -> Row | None:
        """The row that an earlier run finished; or the one that is skipped."""
        if self.planned.note:
            return compute_row(self.planned)
        return None if self.run.cache is None else read_cached(Row, self._locate(self.run.cache))

    def write(self, row: Row) -> None:
        """Store a row that has figures."""
        if self.run.cache is not None and not row.note:
            write_cached(row, self._locate(self.run.cache))

    def _locate(self, cache: Path) -> Path:
        return cache / "rows" / f"{self.digest}.json"


def compute_row(planned: PlannedRow) -> Row:
    """The row with the lines and samples that its attacks give.

    An attack that needs an optional package which is not installed leaves a note.
    """
    place, note, measured = planned.place, planned.note, list[Line | str]()
    try:
        measured = [] if note else list(planned.measure())
    except MissingExtra as error:
        note = f"skipped: {error}"
    lines = tuple(line for line in measured if isinstance(line, Line))
    samples = tuple(sample for sample in measured if isinstance(sample, str))
    return Row(place.section, place.model, planned.here, place.published, lines, note, samples)


def measure_row(run: PaperRun[object], table: str, planned: PlannedRow) -> Row:
    """The row, read from the cache of the run where it is finished."""
    stored = StoredRow(run, table, planned)
    row = stored.read()
    if row is None:
        row = compute_row(planned)
        stored.write(row)
    return row


def draw_curves(measured: Iterable[MeasuredRow], column: int) -> tuple[Curve, ...]:
    """One curve per attack, through the scores of one column."""
    points: dict[str, list[Point]] = {}
    for one in measured:
        for line in one.row.lines:
            score = line.scores[column]
            if score is not None:
                label = f"{one.place.curve}, {line.by}" if one.place.curve else line.by
                points.setdefault(label, []).append(Point(one.place.at, score))
    return tuple(Curve(label, tuple(found)) for label, found in points.items())
