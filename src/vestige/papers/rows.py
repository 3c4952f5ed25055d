"""Rows of a table, made once: a finished row is kept on disk, so that a run that was stopped does not make it again."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from vestige.case.cache import digest_of, recalled
from vestige.case.codec import dumps
from vestige.files import write_whole
from vestige.papers.published import Columns
from vestige.papers.record import Line, Row
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim


@dataclass(frozen=True)
class Place:
    """Where a row stands, and what the paper printed there."""

    table: str
    section: str
    model: str
    known: Columns


def row_of(
    run: Run[object],
    place: Place,
    target: Victim | Absent,
    texts: object,
    lines: Callable[[Victim], Iterable[Line | str]],
) -> Row:
    """The row with the lines, and samples in words, that attacks give; none where nothing stands for the model.

    It is kept under all that it depends on: code, sizes, seed, place, the encoder and the texts.
    """
    if isinstance(target, Absent):
        return Row(place.section, place.model, target.here, place.known, (), f"left out: {target.reason}")
    kept = None
    if run.cache is not None:
        kept = run.cache / "rows" / f"{digest_of(run.sizes, run.seed, place, target.encoder.identity, texts)}.json"
        if kept.is_file():
            return recalled(Row, kept)
    row = _measured(place, target, list(lines(target)))
    if kept is not None:
        _keep(row, kept)
    return row


def _measured(place: Place, target: Victim, found: list[Line | str]) -> Row:
    lines = tuple(line for line in found if isinstance(line, Line))
    samples = tuple(sample for sample in found if isinstance(sample, str))
    return Row(place.section, place.model, target.here, place.known, lines, samples=samples)


def _keep(row: Row, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, dumps(row).encode())
