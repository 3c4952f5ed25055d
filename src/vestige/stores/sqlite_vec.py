"""Vectors in SQLite: a vec0 table of sqlite-vec, or a plain table with vectors as blobs."""

import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from vestige.errors import InputError, MissingExtra
from vestige.stores.blobs import declared_forms, numbers_of, told_form
from vestige.stores.chosen import chosen
from vestige.stores.keyed import KeyedTable
from vestige.stores.sqlite_file import address

WAIT_MS = 2000
LOOKED_AT = 64


class SqliteVecTable(KeyedTable):
    """A table, by its primary key or its rowid. What a blob of a plain table holds is told by its bits."""

    def __init__(self, where: str, name: str | None) -> None:
        self.place = f"sqlite-vec:{where}"
        self._open = ExitStack()
        try:
            self._connection = self._connected(where)
            self._name, self.guessed = chosen(name, self._tables(), self.place, "table")
            columns = [row for row in self._ask(f"PRAGMA table_xinfo({_quoted(self._name)})") if not row[6]]
            (sql,) = self._ask("SELECT sql FROM sqlite_master WHERE name = ?", (self._name,))[0]
            self._forms = declared_forms(sql)
            undeclared = [row[1] for row in columns if row[2].upper() == "BLOB" and row[1] not in self._forms]
            self._forms |= {column: self._told(column) for column in undeclared}
            self._key = self._key_of([row[1] for row in columns if row[5]])
            self._names = list(dict.fromkeys([*self._key, *(row[1] for row in columns)]))
            listed = ", ".join(map(_quoted, self._key))
            self.look(
                f"{self.place}#{self._name}",
                self._ask(f"SELECT {listed} FROM {_quoted(self._name)} ORDER BY {listed}"),
            )
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:
        """One lookup a key."""
        names = list(names or self._names)
        listed = ", ".join(_quoted(name) for name in names)
        same = " AND ".join(f"{_quoted(name)} = ?" for name in self._key)
        rows = [self._ask(f"SELECT {listed} FROM {_quoted(self._name)} WHERE {same}", key)[0] for key in keys]
        return [{name: self._read(name, value) for name, value in zip(names, row, strict=True)} for row in rows]

    def form(self, name: str) -> str | None:
        """As the table declares it, or as the bits tell."""
        return self._forms.get(name)

    def close(self) -> None:
        """Close the connection, and drop the copy if there was one."""
        self._open.close()

    def _connected(self, where: str) -> Any:
        import apsw

        try:
            import sqlite_vec
        except ImportError as error:
            raise MissingExtra("'sqlite_vec'", "sqlite-vec") from error
        opened = self._open.enter_context(address(Path(where)))
        connection = apsw.Connection(opened, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        self._open.callback(connection.close)
        connection.set_busy_timeout(WAIT_MS)
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.enable_load_extension(False)
        return connection

    def _ask(self, query: str, given: tuple[Any, ...] = ()) -> list[Any]:
        import apsw

        try:
            return list(self._connection.execute(query, given))
        except (apsw.BusyError, apsw.LockedError) as error:
            raise InputError(f"{self.place} is locked by another program; close it and try again") from error
        except apsw.Error as error:
            raise InputError(f"{self.place} cannot be read ({error}); expected a whole SQLite file") from error

    def _tables(self) -> list[str]:
        """Tables that may hold vectors: those of vec0, or, where there are none, those with blobs."""
        tables = self._ask("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL ORDER BY name")
        made = [name for name, sql in tables if re.search(r"\busing\s+vec0\b", sql, re.IGNORECASE)]
        return made or [
            name for name, sql in tables if re.search(r"\bblob\b", sql, re.IGNORECASE) or declared_forms(sql)
        ]

    def _key_of(self, primary: list[str]) -> list[str]:
        """What tells rows apart: a primary key of one column that none lacks, else the rowid, else the whole key."""
        (kind, bare) = self._ask("SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'", (self._name,))[0]
        if bare or (kind == "virtual" and len(primary) == 1):
            return primary
        without = "SELECT 1 FROM {} WHERE {} IS NULL LIMIT 1"
        if len(primary) == 1 and not self._ask(without.format(_quoted(self._name), _quoted(primary[0]))):
            return primary
        return ["rowid"]

    def _read(self, name: str, value: Any) -> Any:
        form = self._forms.get(name)
        if form is None or not isinstance(value, bytes):
            return value
        return numbers_of(value, form, f"{self.place} column '{name}'")

    def _told(self, column: str) -> str:
        query = f"SELECT {_quoted(column)} FROM {_quoted(self._name)} LIMIT {LOOKED_AT}"
        blobs = [value for (value,) in self._ask(query) if isinstance(value, bytes)]
        return told_form(blobs, f"{self.place}#{self._name} column '{column}'")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
