"""Vectors in PostgreSQL: columns of pgvector's `vector` and `halfvec`, and of `bit`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from vestige.stores.arrow_rows import as_table
from vestige.stores.pg_catalog import FORMS, find_held
from vestige.stores.pg_pages import as_place, as_tid, draw_places
from vestige.stores.pg_session import Session
from vestige.stores.table import Places, Table

PLAIN = {"bool", "int2", "int4", "int8", "float4", "float8", "text", "varchar", "date", "timestamp", "timestamptz"}
SEEN_FIRST = 64
AT_ONCE = 1000
COUNTED_PAGES = 100_000
"""A table of more pages is not counted through; PostgreSQL's own estimate stands in."""


class PgvectorTable(Table):
    """A table, by the page and the line of its rows. Types that Arrow has no match for are read as text."""

    numbered = "id"

    def __init__(self, where: str, name: str | None) -> None:
        from psycopg import sql

        self._session = Session(where)
        try:
            self._held = held = find_held(self._session, name)
            self._table = sql.Identifier(held.schema, held.table)
            self.place, self.guessed = f"{self._session.place}#{held.label}", held.guessed
            self.exact = held.pages <= COUNTED_PAGES or held.estimate < 0
            counted = sql.SQL("SELECT count(*) FROM {}").format(self._table)
            self.rows = self._session.ask(counted)[0][0] if self.exact else int(held.estimate)
            names = [each for each, kind in held.kinds.items() if kind not in FORMS or each == held.column]
            head = self._session.ask(self._select(names, f"LIMIT {SEEN_FIRST}"))
            self.schema = as_table([self._row(row, names) for row in head], names, self.place).schema
        except BaseException:
            self.close()
            raise

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Places, bool]:
        """Uniform over rows; of a large table about as many pages are read as rows are drawn."""
        places, pages = draw_places(self._session, self._table, n, rng, pages=self._held.pages, rows=self.rows)
        self._count(pages * self._held.page_size)
        return places, False

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows, each from its page."""
        found: dict[int, Mapping[str, Any]] = {}
        query = self._select(names, "WHERE ctid = ANY(%s::tid[])")
        for start in range(0, len(places), AT_ONCE):
            tids = [as_tid(place) for place in places[start : start + AT_ONCE].tolist()]
            found |= {as_place(row[0]): self._row(row, names) for row in self._session.ask(query, (tids,))}
        rows = as_table([found[place] for place in places.tolist()], names, self.place, self.schema)
        self._count(rows.nbytes)
        return rows

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """All rows through a cursor of the server, `size` at a time."""
        with self._session.telling(), self._session.connection.cursor("vestige") as cursor:
            cursor.execute(self._select(names, ""), binary=True)
            while rows := cursor.fetchmany(size):
                yield as_table([self._row(row, names) for row in rows], names, self.place, self.schema)

    def form(self, name: str) -> str | None:
        """As the type of the column says."""
        return FORMS.get(self._held.kinds[name])

    def close(self) -> None:
        """End the transaction and the connection."""
        self._session.close()

    def _select(self, names: Sequence[str], rest: str) -> Any:
        from psycopg import sql

        columns = [sql.SQL("{}" + self._cast(name)).format(sql.Identifier(name)) for name in names]
        return sql.SQL("SELECT ctid::text, {} FROM {} " + rest).format(sql.SQL(", ").join(columns), self._table)

    def _cast(self, name: str) -> str:
        kind = self._held.kinds[name]
        if kind in ("vector", "halfvec"):
            return "::real[]"
        return "" if kind in PLAIN else "::text"

    def _row(self, row: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
        return {name: self._value(name, value) for name, value in zip(names, row[1:], strict=True)}

    def _value(self, name: str, value: Any) -> Any:
        kind = self._held.kinds[name]
        if value is None or kind not in FORMS:
            return value
        if kind == "bit":
            return np.frombuffer(value.encode(), np.uint8) - ord("0")
        return np.array(value, dtype=np.float32)

    def _count(self, read: int) -> None:
        self.bytes_read = (self.bytes_read or 0) + read
