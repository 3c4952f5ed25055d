"""The rows of a table as items of an engine: measured here, or planned again and measured on another machine."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from vestige.engine.job import Job
from vestige.engine.threads import count_cores
from vestige.errors import InputError, VestigeError
from vestige.papers.catalogue import PAPERS
from vestige.papers.published import published
from vestige.papers.record import Row
from vestige.papers.rows import MeasuredRow, PlannedRow, StoredRow, compute_row, digest_row
from vestige.papers.run import PaperRun
from vestige.types import Advance

Numbered = tuple[int, PlannedRow]
"""A row, and its position in the plan of the table."""


@dataclass(frozen=True)
class RowItem:
    """The row at a position of the plan, and a digest of all that its figures depend on."""

    position: int
    name: str
    digest: str


@dataclass(frozen=True, eq=False)
class RowWork:
    """Measures rows of a table of a paper.

    A cluster sends the names and the settings, and each worker plans the table again. It must arrive at the same row:
    with the same code, data and models.
    """

    paper: str
    table: str
    run: PaperRun[Any]
    rows: Mapping[int, PlannedRow] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        return RowWork, (self.paper, self.table, self.run.to_send())

    def prepare(self, advance: Advance) -> Callable[[RowItem], Row]:
        """Plan the table, unless its rows are here."""
        again = None if self.rows else _PlannedAgain(self)

        def measure(item: RowItem) -> Row:
            row = compute_row(self.rows[item.position] if again is None else again.find(item))
            advance(1)
            return row

        return measure


class _PlannedAgain:
    """The rows of the table as this machine plans them. Rows are planned one by one, so those before one are passed."""

    def __init__(self, work: RowWork) -> None:
        self._work = work
        self._start()

    def _start(self) -> None:
        table: Any = PAPERS[self._work.paper].load().table(self._work.table)
        plan = table.plan(self._work.run, published(self._work.paper, self._work.table))
        self._rows: Iterator[PlannedRow] = iter(plan.rows)
        self._next = 0

    def find(self, item: RowItem) -> PlannedRow:
        """The row of an item; raise if it is not the same here."""
        if item.position < self._next:
            self._start()
        for planned in self._rows:
            self._next += 1
            if self._next > item.position:
                if digest_row(self._work.run, self._work.table, planned) != item.digest:
                    break
                return planned
        raise InputError(
            f"the row {item.name} is another one on a machine of the cluster, which has another version, other texts "
            "or another encoder; install the same on all, and set VESTIGE_DATA and VESTIGE_MODELS there"
        )


def measure_rows(work: RowWork, rows: Iterable[Numbered], advance: Advance) -> Iterator[MeasuredRow]:
    """The rows in order: those that an earlier run finished, and those that the engine of the run measures.

    A list is given to the engine as a whole; rows that are planned one by one are measured one by one.
    """
    batches = [rows] if isinstance(rows, list) else ([row] for row in rows)
    for batch in batches:
        yield from _measure_batch(work, dict(batch), advance)


def _measure_batch(work: RowWork, rows: dict[int, PlannedRow], advance: Advance) -> Iterator[MeasuredRow]:
    stored = {position: StoredRow(work.run, work.table, planned) for position, planned in rows.items()}
    done = {position: row for position in rows if (row := stored[position].read()) is not None}
    if done:
        advance(len(done))
    missing = [position for position in rows if position not in done]
    items = [RowItem(position, rows[position].place.name, stored[position].digest) for position in missing]
    sent = RowWork(work.paper, work.table, work.run, rows)
    job = Job(sent, "row", attrgetter("name"), fatal=(VestigeError, OSError), cores=count_cores())
    for outcome in work.run.engine.run(job, items, len(items), advance):
        position = missing[outcome.index]
        stored[position].write(outcome.result)
        done[position] = outcome.result
    yield from (MeasuredRow(planned.place, done[position]) for position, planned in rows.items())
