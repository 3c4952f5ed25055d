"""Vectors in PostgreSQL: columns of pgvector's `vector` and `halfvec`, and of `bit`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vestige.stores.pg_catalog import Held, find_held
from vestige.stores.pg_pages import as_place, as_tid, by_part, draw_places
from vestige.stores.pg_rows import PgRows
from vestige.stores.pg_session import Session
from vestige.stores.table import Places, Table

AT_ONCE = 1000
COUNTED_PAGES = 100_000
"""A table of more pages is not counted through; PostgreSQL's own estimate stands in."""


def open_pgvector(where: str, name: str | None) -> Table:
    """A table by its pages; a view, or whatever has no pages that this role may read, by reading it through."""
    session = Session(where)
    try:
        held = find_held(session, name)
        return PgvectorTable(session, held) if held.parts else PgvectorView(session, held)
    except BaseException:
        session.close()
        raise


class PgvectorTable(PgRows):
    """A table with its partitions, by the page and the line of its rows."""

    def __init__(self, session: Session, held: Held) -> None:
        estimates = [part.estimate for part in held.parts]
        pages = sum(part.pages for part in held.parts)
        self.exact = pages <= COUNTED_PAGES or min(estimates) < 0
        super().__init__(session, held, None if self.exact else int(sum(estimates)))
        self._page_size = int(session.ask("SELECT current_setting('block_size')::int")[0][0])

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Places, bool]:
        """Uniform over rows; of a large table about as many pages are read as rows are drawn."""
        places, pages = draw_places(self._session, self._held.parts, n, rng, rows=self.rows)
        self._count(pages * self._page_size)
        return places, False

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows, each from its page."""
        found: dict[int, Mapping[str, Any]] = {}
        for number, table, held in by_part(places.tolist(), self._held.parts):
            query = self.select(["ctid::text"], names, table, "WHERE ctid = ANY(%s::tid[])", only=True)
            for start in range(0, len(held), AT_ONCE):
                tids = [as_tid(place) for place in held[start : start + AT_ONCE]]
                answer = self._session.ask(query, (tids,))
                found |= {as_place(number, row[0]): self.row(row[1:], names) for row in answer}
        rows = self.arrow([found[place] for place in places.tolist()], names)
        self._count(rows.nbytes)
        return rows

    def _count(self, read: int) -> None:
        self.bytes_read = (self.bytes_read or 0) + read


class PgvectorView(PgRows):
    """A view or a foreign table: read through for every sample, and rows that are not asked for are not kept."""

    bytes_read = None

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """One pass, by the number of the row in it."""
        wanted, kept, start = set(places.tolist()), [], 0
        for rows in self.runs(AT_ONCE, names):
            kept += [row for number, row in enumerate(rows, start) if number in wanted]
            start += len(rows)
        return self.arrow(kept, names)
