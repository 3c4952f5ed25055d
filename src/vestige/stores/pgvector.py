"""Vectors in PostgreSQL: columns of pgvector's types `vector` and `halfvec`, and of `bit`.

A sample of a large table is uniform over its rows and reads about as many pages as it returns rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.arrow_columns import build_table
from vestige.stores.postgres import POSTGRES_FORMS, Partition, PostgresSession, VectorColumn, find_vector_column
from vestige.stores.table import Positions, VectorTable, accepts_servers, draw_rows

PLAIN = {"bool", "int2", "int4", "int8", "float4", "float8", "text", "varchar", "date", "timestamp", "timestamptz"}
SCHEMA_ROWS = 64
ROWS_AT_ONCE = 1000

COUNTED_PAGES = 100_000
"""A table with more pages is not counted; PostgreSQL's own estimate stands in."""

LISTED_PAGES = 4096
"""Of a table with no more pages, all rows are listed and some of them drawn."""

TID_RANGES_SINCE = 140_000
SPARE_PAGES = 16


@accepts_servers
def open_pgvector(where: str, name: str | None) -> VectorTable:
    """Open a table by its pages; a view, or a table whose pages this role may not read, by a pass over all rows."""
    session = PostgresSession(where)
    try:
        column = find_vector_column(session, name)
        return PgvectorTable(session, column) if column.partitions else PgvectorView(session, column)
    except BaseException:
        session.close()
        raise


class PgvectorRows(VectorTable):
    """What tables and views have in common: columns, casts and a pass over all rows.

    A column whose type has no counterpart in Arrow is read as text.
    """

    row_numbers = "id"
    ranges = False

    def __init__(self, session: PostgresSession, column: VectorColumn, rows: int | None = None) -> None:
        from psycopg import sql

        self._session, self._column = session, column
        self._table = sql.Identifier(column.schema, column.table)
        self.place, self.guessed = f"{session.place}#{column.label}", column.guessed
        count = sql.SQL("SELECT count(*) FROM {}").format(self._table)
        self.rows = int(session.query(count)[0][0]) if rows is None else rows
        names = [name for name, kind in column.kinds.items() if kind not in POSTGRES_FORMS or name == column.column]
        head = session.query(self.select([], names, self._table, f"LIMIT {SCHEMA_ROWS}"))
        self.schema = build_table([self.parse_row(row, names) for row in head], names, self.place).schema

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Read all rows through a server-side cursor, `size` at a time."""
        for rows in self.read_all(size, names):
            yield self.as_arrow(rows, names)

    def form(self, name: str) -> str | None:
        """The form that the type of the column implies."""
        return POSTGRES_FORMS.get(self._column.kinds[name])

    def close(self) -> None:
        """End the transaction and the connection."""
        self._session.close()

    def read_all(self, size: int, names: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
        """Yield all rows as mappings, `size` at a time."""
        with self._session.translate_errors(), self._session.connection.cursor("vestige") as cursor:
            cursor.execute(self.select([], names, self._table, ""), binary=True)
            while rows := cursor.fetchmany(size):
                yield [self.parse_row(row, names) for row in rows]

    def select(self, first: Sequence[str], names: Sequence[str], table: Any, rest: str, *, only: bool = False) -> Any:
        """Build the query for the expressions in `first` and then these columns."""
        from psycopg import sql

        columns: list[Any] = [*map(sql.SQL, first)]
        columns += [sql.SQL("{}" + self._cast(name)).format(sql.Identifier(name)) for name in names]
        query = "SELECT {} FROM ONLY {} " if only else "SELECT {} FROM {} "
        return sql.SQL(query + rest).format(sql.SQL(", ").join(columns), table)

    def parse_row(self, values: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
        """Map the values of a row to their columns."""
        return {name: self._parse(name, value) for name, value in zip(names, values, strict=True)}

    def as_arrow(self, rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Any:
        """Convert rows to an Arrow table, with the types of the first rows."""
        return build_table(rows, names, self.place, self.schema)

    def _cast(self, name: str) -> str:
        kind = self._column.kinds[name]
        if kind in ("vector", "halfvec"):
            return "::real[]"
        return "" if kind in PLAIN else "::text"

    def _parse(self, name: str, value: Any) -> Any:
        kind = self._column.kinds[name]
        if value is None or kind not in POSTGRES_FORMS:
            return value
        if kind == "bit":
            return np.frombuffer(value.encode(), np.uint8) - ord("0")
        return np.array(value, dtype=np.float32)


class PgvectorTable(PgvectorRows):
    """A table with its partitions. A position encodes the partition, page and line of a row."""

    def __init__(self, session: PostgresSession, column: VectorColumn) -> None:
        estimates = [partition.estimate for partition in column.partitions]
        pages = sum(partition.pages for partition in column.partitions)
        self.exact = pages <= COUNTED_PAGES or min(estimates) < 0
        super().__init__(session, column, None if self.exact else int(sum(estimates)))
        self._page_bytes = int(session.query("SELECT current_setting('block_size')::int")[0][0])

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Positions, bool]:
        """Draw uniformly over rows; of a large table about as many pages are read as rows are drawn."""
        positions, pages = draw_positions(self._session, self._column.partitions, n, rng, rows=self.rows)
        self._count(pages * self._page_bytes)
        return positions, False

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Read each row from its page."""
        parsed: dict[int, Mapping[str, Any]] = {}
        for number, table, held in group_by_partition(positions.tolist(), self._column.partitions):
            query = self.select(["ctid::text"], names, table, "WHERE ctid = ANY(%s::tid[])", only=True)
            for start in range(0, len(held), ROWS_AT_ONCE):
                tids = [decode_tid(position) for position in held[start : start + ROWS_AT_ONCE]]
                rows = self._session.query(query, (tids,))
                parsed |= {encode_position(number, row[0]): self.parse_row(row[1:], names) for row in rows}
        table = self.as_arrow([parsed[position] for position in positions.tolist()], names)
        self._count(table.nbytes)
        return table

    def _count(self, read: int) -> None:
        self.bytes_read = (self.bytes_read or 0) + read


class PgvectorView(PgvectorRows):
    """A view or a foreign table. Every sample reads all rows and keeps only those it needs."""

    bytes_read = None

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Read all rows once, and pick those with these numbers."""
        numbers, picked, start = set(positions.tolist()), [], 0
        for rows in self.read_all(ROWS_AT_ONCE, names):
            picked += [row for number, row in enumerate(rows, start) if number in numbers]
            start += len(rows)
        return self.as_arrow(picked, names)


def encode_position(partition: int, tid: str) -> int:
    """Encode the number of a partition, and the page and line of a row in it, "(page,line)", in one integer."""
    page, line = tid[1:-1].split(",")
    return partition << 48 | int(page) << 16 | int(line)


def decode_tid(position: int) -> str:
    """The page and line of a position, as "(page,line)"."""
    return f"({position >> 16 & 0xFFFFFFFF},{position & 0xFFFF})"


def group_by_partition(
    positions: Sequence[int], partitions: Sequence[Partition]
) -> Iterator[tuple[int, Any, list[int]]]:
    """Yield the number and the name of each partition that holds any of the positions, and those positions."""
    for number, partition in enumerate(partitions):
        held = [position for position in positions if position >> 48 == number]
        if held:
            yield number, _identify(partition), held


def draw_positions(
    session: PostgresSession, partitions: Sequence[Partition], n: int, rng: np.random.Generator, *, rows: int
) -> tuple[Positions, int]:
    """Draw the positions of `n` rows, and return how many pages were read for it.

    The rows of small tables are listed and drawn. Of large tables pages are drawn; each yields one of its rows or
    none, with a probability that grows with how full it is, so that all rows are equally likely.
    """
    pages = sum(partition.pages for partition in partitions)
    if pages <= LISTED_PAGES or n * 4 > rows:
        return _draw_listed(session, partitions, n, rng), pages
    if session.connection.info.server_version < TID_RANGES_SINCE:
        raise InputError(f"{session.place} is older than PostgreSQL 14 and the table is large; sample a copy of it")
    return _draw_by_pages(session, partitions, n, rng)


def pick_one_per_page(pages: list[list[int]], heights: Any) -> list[int]:
    """Pick the row of each page at its height, from 0 to 1, where 1 is the number of rows on the fullest page.

    A page that is not filled to this height yields none. A row that comes up twice counts once.
    """
    fullest = max(map(len, pages), default=0)
    chosen = [(page, int(height * fullest)) for page, height in zip(pages, heights, strict=True)]
    return list(dict.fromkeys(page[line] for page, line in chosen if line < len(page)))


def _draw_listed(
    session: PostgresSession, partitions: Sequence[Partition], n: int, rng: np.random.Generator
) -> Positions:
    from psycopg import sql

    query = sql.SQL("SELECT ctid::text FROM ONLY {}")
    listed = [
        encode_position(number, tid)
        for number, partition in enumerate(partitions)
        for (tid,) in session.query(query.format(_identify(partition)))
    ]
    positions = np.sort(np.array(listed, dtype=np.int64))
    return positions[draw_rows(len(positions), n, rng)]


def _draw_by_pages(
    session: PostgresSession, partitions: Sequence[Partition], n: int, rng: np.random.Generator
) -> tuple[Positions, int]:
    pages = sum(partition.pages for partition in partitions)
    lines: list[list[int]] = []
    heights = np.empty(0)
    picked: list[int] = []
    while len(picked) < n:
        blocks = rng.integers(pages, size=n - len(picked) + SPARE_PAGES)
        lines += _list_rows(session, partitions, blocks)
        heights = np.append(heights, rng.random(len(blocks)))
        picked = pick_one_per_page(lines, heights)
    return np.sort(np.array(picked[:n], dtype=np.int64)), len(lines)


def _list_rows(session: PostgresSession, partitions: Sequence[Partition], blocks: Positions) -> list[list[int]]:
    """List the positions of the rows on each page, in order. Pages are numbered through all partitions."""
    from psycopg import sql

    query = sql.SQL("SELECT ctid::text FROM ONLY {} WHERE ctid >= %s::tid AND ctid < %s::tid")
    starts = np.cumsum([0, *(partition.pages for partition in partitions)])
    homes = np.searchsorted(starts, blocks, side="right") - 1
    lines: list[list[int]] = [[]] * len(blocks)
    for number in np.unique(homes).tolist():
        own = np.flatnonzero(homes == number)
        pages = [(f"({page},0)", f"({page + 1},0)") for page in (blocks[own] - starts[number]).tolist()]
        answers = session.query_each(query.format(_identify(partitions[number])), pages)
        for block, rows in zip(own.tolist(), answers, strict=True):
            lines[block] = sorted(encode_position(number, tid) for (tid,) in rows)
    return lines


def _identify(partition: Partition) -> Any:
    from psycopg import sql

    return sql.Identifier(partition.schema, partition.table)
