"""A read-only session with PostgreSQL, and its catalogue of columns that hold vectors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from vestige.errors import InputError
from vestige.stores.table import choose_collection

TIMEOUTS: dict[str, Any] = {"connect_timeout": 5, "tcp_user_timeout": 15_000}
SETTINGS = "-c default_transaction_read_only=on -c synchronize_seqscans=off -c max_parallel_workers_per_gather=0"

POSTGRES_FORMS = {"vector": "float32", "halfvec": "float16", "bit": "binary"}

VECTOR_COLUMNS = """
SELECT c.oid, n.nspname, c.relname, a.attname, pg_table_is_visible(c.oid),
  c.relkind IN ('r', 'm', 'p') AND NOT c.relispartition
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid
WHERE t.typname = ANY(%s) AND c.relkind IN ('r', 'm', 'p', 'v', 'f') AND a.attnum > 0 AND NOT a.attisdropped
AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY n.nspname, c.relname, a.attnum
"""
READABLE_COLUMNS = """
SELECT a.attname, t.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attnum
"""
PARTITIONS = """
WITH RECURSIVE family(oid) AS (
  SELECT %s::oid UNION SELECT i.inhrelid FROM pg_inherits i JOIN family f ON i.inhparent = f.oid
)
SELECT n.nspname, c.relname, pg_relation_size(c.oid) / current_setting('block_size')::int, c.reltuples::float8,
  c.relkind IN ('r', 'm') AND has_table_privilege(c.oid, 'SELECT')
  AND (c.oid = %s::oid OR NOT row_security_active(%s::oid))
FROM family f JOIN pg_class c ON c.oid = f.oid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind <> 'p' ORDER BY c.oid
"""


class PostgresSession:
    """One read-only transaction, in which every query sees the same rows. `place` contains no password."""

    def __init__(self, where: str) -> None:
        import psycopg

        self.place = f"pgvector:{_strip_password(where)}"
        with self.translate_errors():
            self.connection = psycopg.connect(where, options=SETTINGS, **TIMEOUTS)
            self.connection.read_only = True
            self.connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ

    def query(self, query: Any, values: Sequence[Any] | None = None) -> list[Any]:
        """Return all rows of a query."""
        with self.translate_errors(), self.connection.cursor() as cursor:
            return list(cursor.execute(query, values, binary=True))

    def query_each(self, query: Any, values: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Run one query for each tuple of values, pipelined, and return the rows of each."""
        with self.translate_errors(), self.connection.cursor() as cursor:
            cursor.executemany(query, values, returning=True)
            answers = [cursor.fetchall()]
            while cursor.nextset():
                answers.append(cursor.fetchall())
        return answers

    def close(self) -> None:
        """End the transaction and the connection."""
        self.connection.close()

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn errors of PostgreSQL into input errors that say what to do."""
        import psycopg
        from psycopg import errors

        try:
            yield
        except errors.InsufficientPrivilege as error:
            raise InputError(f"{self.place}: {_first_line(error)}; GRANT SELECT on it to this role") from error
        except psycopg.OperationalError as error:
            if self._is_open():
                raise InputError(
                    f"{self.place} cannot be read ({_first_line(error)}); repair it until this role can SELECT from it"
                ) from error
            raise InputError(
                f"{self.place} refused or lost the connection ({_first_line(error)}); "
                "check the server, the role and its password"
            ) from error
        except psycopg.Error as error:
            raise InputError(
                f"{self.place} cannot be read ({_first_line(error)}); expected a table of PostgreSQL"
            ) from error

    def _is_open(self) -> bool:
        """Whether the server still answers: an unreadable table is not a lost connection."""
        return hasattr(self, "connection") and not self.connection.closed


@dataclass(frozen=True, slots=True)
class Partition:
    """A table that holds rows in pages. `estimate` is PostgreSQL's last count of its rows; negative if it has none."""

    schema: str
    table: str
    pages: int
    estimate: float


@dataclass(frozen=True, slots=True)
class VectorColumn:
    """A column of vectors: its table or view, and the types of the columns that this role may read.

    `partitions` are the tables that hold the rows: the table itself, its partitions, or those that inherit from it.
    It is empty where rows cannot be found by page: in a view, a foreign table, or partitions that this role may not
    read or that have row security of their own.
    """

    label: str
    schema: str
    table: str
    column: str
    kinds: dict[str, str]
    partitions: tuple[Partition, ...]
    guessed: tuple[str, ...]


def find_vector_column(session: PostgresSession, name: str | None) -> VectorColumn:
    """Find the column named as TABLE, TABLE.COLUMN or SCHEMA.TABLE.COLUMN, or the only one of the database.

    Views and partitions count only if they are named, or if there is nothing else.
    """
    columns: dict[str, Any] = {}
    tables: list[str] = []
    for oid, schema, table, column, visible, is_table in session.query(VECTOR_COLUMNS, (list(POSTGRES_FORMS),)):
        label = f"{table}.{column}" if visible else f"{schema}.{table}.{column}"
        columns[label] = (oid, schema, table, column)
        tables += [label] if is_table else []
    of_table = [label for label in columns if label.rpartition(".")[0] == name]
    labels = of_table or (tables if name is None and tables else list(columns))
    label, guessed = choose_collection(None if of_table else name, labels, session.place, "vector column")
    oid, schema, table, column = columns[label]
    kinds = dict(session.query(READABLE_COLUMNS, (oid,)))
    return VectorColumn(label, schema, table, column, kinds, _list_partitions(session, oid), guessed)


def _list_partitions(session: PostgresSession, oid: int) -> tuple[Partition, ...]:
    rows = session.query(PARTITIONS, (oid, oid, oid))
    return tuple(Partition(*row[:4]) for row in rows) if all(row[4] for row in rows) else ()


def _strip_password(where: str) -> str:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = conninfo_to_dict(where)
    except psycopg.ProgrammingError:
        raise InputError(
            "what follows pgvector: is not an address of PostgreSQL; expected one such as "
            "'pgvector:postgresql://USER@HOST/DATABASE#TABLE.COLUMN'"
        ) from None
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{user}{parts.get('host') or 'localhost'}{port}/{parts.get('dbname') or ''}"


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
