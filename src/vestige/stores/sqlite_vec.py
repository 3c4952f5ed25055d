"""Vectors in SQLite: a vec0 table of sqlite-vec, or a plain table with vectors as blobs."""

import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError, MissingExtra
from vestige.stores.copy_on_read import read_only_uri
from vestige.stores.table import KeyedTable, choose_collection

BLOB_FORMS = {
    "float": "float32",
    "f32": "float32",
    "int8": "int8",
    "i8": "int8",
    "bit": "binary",
    "f32_blob": "float32",
    "float32": "float32",
    "f64_blob": "float64",
    "float64": "float64",
}
DECLARED = re.compile(rf"[\s(,]\"?(\w+)\"?\s+({'|'.join(BLOB_FORMS)})\s*[\[(]\s*\d+\s*[\])]", re.IGNORECASE)

SMALLEST_NUMBER, LARGEST_NUMBER = 1e-9, 1e6
FEW, MANY = 0.05, 0.2
LOCK_WAIT_MS = 2000
DETECTION_BLOBS = 64


class SqliteVecTable(KeyedTable):
    """A table, read by its primary key or rowid. The encoding of undeclared blobs is detected from their bits."""

    def __init__(self, where: str, name: str | None) -> None:
        self.place = f"sqlite-vec:{where}"
        self._open = ExitStack()
        try:
            self._connection = self._connect(where)
            self._name, self.guessed = choose_collection(name, self._list_tables(), self.place, "table")
            columns = [row for row in self._query(f"PRAGMA table_xinfo({_quote(self._name)})") if not row[6]]
            (sql,) = self._query("SELECT sql FROM sqlite_master WHERE name = ?", (self._name,))[0]
            self._forms = parse_declared_forms(sql)
            undeclared = [row[1] for row in columns if row[2].upper() == "BLOB" and row[1] not in self._forms]
            self._forms |= {column: self._detect_form(column) for column in undeclared}
            self._key = self._find_key([row[1] for row in columns if row[5]])
            self._names = list(dict.fromkeys([*self._key, *(row[1] for row in columns)]))
            key = ", ".join(map(_quote, self._key))
            keys = self._query(f"SELECT {key} FROM {_quote(self._name)} ORDER BY {key}")
            self.set_keys(f"{self.place}#{self._name}", keys)
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:
        """Look up one row per key."""
        names = list(names or self._names)
        columns = ", ".join(map(_quote, names))
        match = " AND ".join(f"{_quote(name)} = ?" for name in self._key)
        rows = [self._query(f"SELECT {columns} FROM {_quote(self._name)} WHERE {match}", key)[0] for key in keys]
        return [{name: self._decode(name, value) for name, value in zip(names, row, strict=True)} for row in rows]

    def form(self, name: str) -> str | None:
        """The declared encoding, or the detected one."""
        return self._forms.get(name)

    def close(self) -> None:
        """Close the connection, and delete the copy if there is one."""
        self._open.close()

    def _connect(self, where: str) -> Any:
        import apsw

        try:
            import sqlite_vec
        except ImportError as error:
            raise MissingExtra("'sqlite_vec'", "sqlite-vec") from error
        uri = self._open.enter_context(read_only_uri(Path(where)))
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        self._open.callback(connection.close)
        connection.set_busy_timeout(LOCK_WAIT_MS)
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.enable_load_extension(False)
        return connection

    def _query(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        import apsw

        try:
            return list(self._connection.execute(query, values))
        except (apsw.BusyError, apsw.LockedError) as error:
            raise InputError(f"{self.place} is locked by another program; close it and try again") from error
        except apsw.Error as error:
            raise InputError(f"{self.place} cannot be read ({error}); expected a complete SQLite file") from error

    def _list_tables(self) -> list[str]:
        """List the tables of vec0; if there are none, those that have blobs or declared vectors."""
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL ORDER BY name"
        tables = self._query(query)
        virtual = [name for name, sql in tables if re.search(r"\busing\s+vec0\b", sql, re.IGNORECASE)]
        return virtual or [
            name for name, sql in tables if re.search(r"\bblob\b", sql, re.IGNORECASE) or parse_declared_forms(sql)
        ]

    def _find_key(self, primary: list[str]) -> list[str]:
        """Find columns that identify a row: a primary key of one column without nulls, the rowid, or the whole key."""
        query = "SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'"
        (kind, without_rowid) = self._query(query, (self._name,))[0]
        if without_rowid or (kind == "virtual" and len(primary) == 1):
            return primary
        nulls = "SELECT 1 FROM {} WHERE {} IS NULL LIMIT 1"
        if len(primary) == 1 and not self._query(nulls.format(_quote(self._name), _quote(primary[0]))):
            return primary
        return ["rowid"]

    def _decode(self, name: str, value: Any) -> Any:
        form = self._forms.get(name)
        if form is None or not isinstance(value, bytes):
            return value
        return decode_blob(value, form, f"{self.place} column '{name}'")

    def _detect_form(self, column: str) -> str:
        query = f"SELECT {_quote(column)} FROM {_quote(self._name)} LIMIT {DETECTION_BLOBS}"
        blobs = [value for (value,) in self._query(query) if isinstance(value, bytes)]
        return detect_form(blobs, f"{self.place}#{self._name} column '{column}'")


def parse_declared_forms(sql: str) -> dict[str, str]:
    """The encoding of each column whose declared type states it, such as `float[384]` or `F64_BLOB(384)`."""
    return {column: BLOB_FORMS[form.lower()] for column, form in DECLARED.findall(sql)}


def detect_form(blobs: Sequence[bytes], place: str) -> str:
    """Decide from the bits whether undeclared blobs hold float32 or float64.

    Read as float32, a double is two numbers: the upper half looks like an embedding value, the lower half is noise or
    zero. In vectors of single precision, even and odd positions are alike.
    """
    even = [blob for blob in blobs if blob and len(blob) % 8 == 0]
    if not even or len(even) < len(blobs):
        return "float32"
    halves = np.frombuffer(b"".join(even), "<f4")
    lower, upper = halves[0::2], halves[1::2]
    if _share_implausible(upper) > FEW:
        return "float32"
    if _share_implausible(lower) > MANY or (upper.any() and not lower.any()):
        return "float64"
    if _share_implausible(lower) > FEW:
        raise InputError(
            f"{place} holds blobs that may be float32 or float64; expected a column type that says which, such as "
            "float[384] or F64_BLOB(384); declare it, or export the vectors to .npy or .parquet"
        )
    return "float32"


def decode_blob(blob: bytes, form: str, place: str) -> Any:
    """Decode a blob into an array of numbers."""
    if form == "binary":
        return np.unpackbits(np.frombuffer(blob, np.uint8), bitorder="little")
    if len(blob) % np.dtype(form).itemsize:
        raise InputError(f"{place} has a blob of {len(blob)} bytes; expected {form} numbers")
    return np.frombuffer(blob, form)


def _share_implausible(numbers: Any) -> float:
    """The share of numbers that no encoder produces. Zeros are plausible: sparse vectors are full of them."""
    with np.errstate(invalid="ignore"):
        size = np.abs(numbers.astype(np.float64))
        return float(np.mean(~np.isfinite(size) | ((size > 0) & (size < SMALLEST_NUMBER)) | (size > LARGEST_NUMBER)))


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
