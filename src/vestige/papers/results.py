"""Records of reproductions, from which the tables of the documentation are made: one JSON file per table.

A run that measures some rows replaces these and keeps the others; each row knows the run that made it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from vestige.case.cache import read_record
from vestige.case.codec import dumps
from vestige.errors import InputError
from vestige.files import writable_folder, write_whole
from vestige.papers.provenance import Environment, describe_environment
from vestige.papers.record import Reproduction, Row
from vestige.types import TrainingLog

SCHEMA = 1
FOLDER = Path("results")
MOST_POINTS = 40
"""Points of a learning curve that a record keeps; the first and the last are among them."""


@dataclass(frozen=True, slots=True)
class ResultRun:
    """How rows were measured. `sizes` are all sizes of the run, `changes` those that were set for it."""

    key: str
    scale: str
    sizes: dict[str, Any]
    changes: tuple[str, ...]
    seed: int
    encoders: tuple[str, ...]
    device: str
    differs: tuple[str, ...]
    minutes: float
    environment: Environment


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row of the table, and the key of the run that measured it."""

    run: str
    row: Row


@dataclass(frozen=True, slots=True)
class ResultTable:
    """All rows that were measured for one table; a `variant` is the same table with something else in it."""

    schema: int
    paper: str
    table: str
    variant: str
    title: str
    citation: str
    columns: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    runs: tuple[ResultRun, ...]

    def run_of(self, row: ResultRow) -> ResultRun:
        """The run that measured a row."""
        return next(run for run in self.runs if run.key == row.run)


def locate_results(folder: Path, paper: str, table: str, variant: str = "") -> Path:
    """The file of a table."""
    return folder / paper / f"{table}{f'-{variant}' if variant else ''}.json"


def read_results(path: Path) -> ResultTable:
    """The record of a table."""
    found = read_record(ResultTable, path)
    if found.schema != SCHEMA:
        raise InputError(f"{path} has schema {found.schema}, expected {SCHEMA}; run its rows again with --record")
    return found


def write_results(record: Reproduction, sizes: Any, folder: Path, *, variant: str = "") -> Path:
    """Write what a reproduction measured, next to the rows that are already in the file of its table."""
    path = locate_results(folder, record.paper, record.table, variant)
    run = _describe_run(record, sizes)
    measured = [ResultRow(run.key, _thin(row)) for row in record.rows if row.lines]
    old = read_results(path) if path.is_file() else None
    rows = merge_rows(old.rows if old else (), measured)
    used = {row.run for row in rows}
    runs = {known.key: known for known in (*(old.runs if old else ()), run) if known.key in used}
    table = ResultTable(
        schema=SCHEMA,
        paper=record.paper,
        table=record.table,
        variant=variant,
        title=record.title,
        citation=record.citation,
        columns=record.columns,
        rows=rows,
        runs=tuple(runs[key] for key in sorted(runs)),
    )
    write_whole(writable_folder(path.parent) / path.name, dumps(table).encode())
    return path


def merge_rows(old: Sequence[ResultRow], new: Iterable[ResultRow]) -> tuple[ResultRow, ...]:
    """The rows of both by section and model, the new ones in the place of old ones; sections stay together."""
    merged = {_place(one): one for one in old} | {_place(one): one for one in new}
    sections = list(dict.fromkeys(section for section, _ in merged))
    return tuple(sorted(merged.values(), key=lambda one: sections.index(one.row.section)))


def _place(one: ResultRow) -> tuple[str, str]:
    return one.row.section, one.row.model


def _describe_run(record: Reproduction, sizes: Any) -> ResultRun:
    run = ResultRun(
        key="",
        scale=record.scale,
        sizes=asdict(sizes),
        changes=record.changes,
        seed=record.seed,
        encoders=record.encoders,
        device=record.device,
        differs=record.differs,
        minutes=record.minutes,
        environment=describe_environment(),
    )
    return replace(run, key=hashlib.sha256(dumps(run).encode()).hexdigest()[:10])


def _thin(row: Row) -> Row:
    """The row with learning curves of a few points."""
    lines = tuple(replace(line, logs=tuple(map(_thin_curve, line.logs))) for line in row.lines)
    return replace(row, lines=lines)


def _thin_curve(log: TrainingLog) -> TrainingLog:
    last = len(log.curve) - 1
    if last < MOST_POINTS:
        return log
    places = sorted({round(step * last / (MOST_POINTS - 1)) for step in range(MOST_POINTS)})
    return replace(log, curve=tuple(log.curve[place] for place in places))
