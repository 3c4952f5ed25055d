"""Rows of PostgreSQL as Arrow tables. Types that Arrow has no match for are read as text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from vestige.stores.arrow_rows import as_table
from vestige.stores.pg_catalog import FORMS, Held
from vestige.stores.pg_session import Session
from vestige.stores.table import Table

PLAIN = {"bool", "int2", "int4", "int8", "float4", "float8", "text", "varchar", "date", "timestamp", "timestamptz"}
SEEN_FIRST = 64


class PgRows(Table):
    """What tables and views have in common: columns, casts and a pass over all rows."""

    numbered = "id"

    def __init__(self, session: Session, held: Held, rows: int | None = None) -> None:
        from psycopg import sql

        self._session, self._held = session, held
        self._name = sql.Identifier(held.schema, held.table)
        self.place, self.guessed = f"{session.place}#{held.label}", held.guessed
        counted = sql.SQL("SELECT count(*) FROM {}").format(self._name)
        self.rows = int(session.ask(counted)[0][0]) if rows is None else rows
        names = [each for each, kind in held.kinds.items() if kind not in FORMS or each == held.column]
        head = session.ask(self.select([], names, self._name, f"LIMIT {SEEN_FIRST}"))
        self.schema = as_table([self.row(row, names) for row in head], names, self.place).schema

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """All rows through a cursor of the server, `size` at a time."""
        for rows in self.runs(size, names):
            yield self.arrow(rows, names)

    def form(self, name: str) -> str | None:
        """As the type of the column says."""
        return FORMS.get(self._held.kinds[name])

    def close(self) -> None:
        """End the transaction and the connection."""
        self._session.close()

    def runs(self, size: int, names: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
        """All rows, `size` at a time."""
        with self._session.telling(), self._session.connection.cursor("vestige") as cursor:
            cursor.execute(self.select([], names, self._name, ""), binary=True)
            while rows := cursor.fetchmany(size):
                yield [self.row(row, names) for row in rows]

    def select(self, first: Sequence[str], names: Sequence[str], table: Any, rest: str, *, only: bool = False) -> Any:
        """The query for these columns, after what comes `first`."""
        from psycopg import sql

        columns: list[Any] = [*map(sql.SQL, first)]
        columns += [sql.SQL("{}" + self._cast(name)).format(sql.Identifier(name)) for name in names]
        asked = "SELECT {} FROM ONLY {} " if only else "SELECT {} FROM {} "
        return sql.SQL(asked + rest).format(sql.SQL(", ").join(columns), table)

    def row(self, values: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
        """The values of a row by their columns."""
        return {name: self._value(name, value) for name, value in zip(names, values, strict=True)}

    def arrow(self, rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Any:
        """Rows as an Arrow table, of the types that the first rows have."""
        return as_table(rows, names, self.place, self.schema)

    def _cast(self, name: str) -> str:
        kind = self._held.kinds[name]
        if kind in ("vector", "halfvec"):
            return "::real[]"
        return "" if kind in PLAIN else "::text"

    def _value(self, name: str, value: Any) -> Any:
        kind = self._held.kinds[name]
        if value is None or kind not in FORMS:
            return value
        if kind == "bit":
            return np.frombuffer(value.encode(), np.uint8) - ord("0")
        return np.array(value, dtype=np.float32)
