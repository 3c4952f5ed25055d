"""Which columns of vectors a database of PostgreSQL has, and what lies beside them."""

from dataclasses import dataclass
from typing import Any

from vestige.stores.chosen import chosen
from vestige.stores.pg_session import Session

FORMS = {"vector": "float32", "halfvec": "float16", "bit": "binary"}
WHAT = "column of vectors"

HELD = """
SELECT c.oid, n.nspname, c.relname, a.attname, pg_table_is_visible(c.oid)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid
WHERE t.typname = ANY(%s) AND c.relkind IN ('r', 'm') AND a.attnum > 0 AND NOT a.attisdropped
AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY n.nspname, c.relname, a.attnum
"""
READABLE = """
SELECT a.attname, t.typname FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attnum
"""
SIZE = """
SELECT pg_relation_size(oid), current_setting('block_size')::int, reltuples::float8 FROM pg_class WHERE oid = %s
"""


@dataclass(frozen=True, slots=True)
class Held:
    """A column of vectors: its table, the types of the columns that this role may read, and the table's size.

    `estimate` is the number of rows that PostgreSQL last counted, or less than none.
    """

    label: str
    schema: str
    table: str
    column: str
    kinds: dict[str, str]
    pages: int
    page_size: int
    estimate: float
    guessed: tuple[str, ...]


def find_held(session: Session, asked: str | None) -> Held:
    """The column that is asked for as COLUMN's table, TABLE.COLUMN or SCHEMA.TABLE.COLUMN, or the only one."""
    held: dict[str, Any] = {}
    for oid, schema, table, column, visible in session.ask(HELD, (list(FORMS),)):
        held[f"{table}.{column}" if visible else f"{schema}.{table}.{column}"] = (oid, schema, table, column)
    of_table = [label for label in held if label.rpartition(".")[0] == asked]
    names = of_table if of_table else list(held)
    label, guessed = chosen(None if of_table else asked, names, session.place, WHAT)
    oid, schema, table, column = held[label]
    size, page_size, estimate = session.ask(SIZE, (oid,))[0]
    kinds = dict(session.ask(READABLE, (oid,)))
    return Held(label, schema, table, column, kinds, size // page_size, page_size, estimate, guessed)
