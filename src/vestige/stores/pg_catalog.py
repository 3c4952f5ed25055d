"""Which columns of vectors a database of PostgreSQL has, and what lies beside them."""

from dataclasses import dataclass
from typing import Any

from vestige.stores.chosen import chosen
from vestige.stores.pg_session import Session

FORMS = {"vector": "float32", "halfvec": "float16", "bit": "binary"}
WHAT = "vector column"

HELD = """
SELECT c.oid, n.nspname, c.relname, a.attname, pg_table_is_visible(c.oid),
  c.relkind IN ('r', 'm', 'p') AND NOT c.relispartition
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid
WHERE t.typname = ANY(%s) AND c.relkind IN ('r', 'm', 'p', 'v', 'f') AND a.attnum > 0 AND NOT a.attisdropped
AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY n.nspname, c.relname, a.attnum
"""
READABLE = """
SELECT a.attname, t.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attnum
"""
PARTS = """
WITH RECURSIVE family(oid) AS (
  SELECT %s::oid UNION SELECT i.inhrelid FROM pg_inherits i JOIN family f ON i.inhparent = f.oid
)
SELECT n.nspname, c.relname, pg_relation_size(c.oid) / current_setting('block_size')::int, c.reltuples::float8,
  c.relkind IN ('r', 'm') AND has_table_privilege(c.oid, 'SELECT')
  AND (c.oid = %s::oid OR NOT row_security_active(%s::oid))
FROM family f JOIN pg_class c ON c.oid = f.oid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind <> 'p' ORDER BY c.oid
"""


@dataclass(frozen=True, slots=True)
class Part:
    """A table that holds rows in pages; `estimate` is the rows that PostgreSQL last counted, or less than none."""

    schema: str
    table: str
    pages: int
    estimate: float


@dataclass(frozen=True, slots=True)
class Held:
    """A column of vectors: its table or view, and the types of the columns that this role may read.

    `parts` are the tables that the rows lie in: the table itself, its partitions, or those that inherit from it. There
    are none where rows cannot be found by their pages: in a view, a foreign table, or partitions that are
    closed to this role or have rules of their own on who sees which row.
    """

    label: str
    schema: str
    table: str
    column: str
    kinds: dict[str, str]
    parts: tuple[Part, ...]
    guessed: tuple[str, ...]


def find_held(session: Session, asked: str | None) -> Held:
    """The column that is asked for as COLUMN's table, TABLE.COLUMN or SCHEMA.TABLE.COLUMN, or the only one.

    Views and partitions are taken where they are named, or where there is nothing else.
    """
    held: dict[str, Any] = {}
    whole: list[str] = []
    for oid, schema, table, column, visible, own in session.ask(HELD, (list(FORMS),)):
        label = f"{table}.{column}" if visible else f"{schema}.{table}.{column}"
        held[label] = (oid, schema, table, column)
        whole += [label] if own else []
    of_table = [label for label in held if label.rpartition(".")[0] == asked]
    names = of_table or (whole if asked is None and whole else list(held))
    label, guessed = chosen(None if of_table else asked, names, session.place, WHAT)
    oid, schema, table, column = held[label]
    return Held(label, schema, table, column, dict(session.ask(READABLE, (oid,))), _parts(session, oid), guessed)


def _parts(session: Session, oid: int) -> tuple[Part, ...]:
    found = session.ask(PARTS, (oid, oid, oid))
    return tuple(Part(*row[:4]) for row in found) if all(row[4] for row in found) else ()
