"""The interface that a reader of a store implements, and what readers share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.arrow_columns import build_table, list_columns

Positions = npt.NDArray[np.int64]
"""One integer per row by which a table finds it: the row number, or whatever else the table chooses."""

SCHEMA_ROWS = 256
"""Rows, spread over a whole table, from which a `KeyedTable` derives its columns."""

KEYS_AT_ONCE = 1000
SERVERS = "accepts_servers"

_Opener = TypeVar("_Opener", bound=Callable[..., Any])


class VectorTable(ABC):
    """Rows with named columns, located by integer positions and returned as Arrow tables.

    To add a store, subclass `VectorTable` (or `KeyedTable`, where the store finds a row by its key) with a constructor
    `(where, name)`: `where` is the path or address, `name` the collection, or None if the user gave none. The
    constructor sets `place`, `rows` and `schema`; `take` returns rows. This is all that is required. Everything else
    has a default: override `batches` if reading in order is cheaper than `take`, `draw` if the store can only be read
    in large pieces, `form` if the schema hides how the store encodes a vector, and `close` if anything must be
    released. Reading must not change the store, and must never unpickle. Raise `InputError` for whatever cannot be
    read, and say where, what was found, what was expected and what to do.

    Add the class, or a function `(where, name) -> VectorTable`, to `STORES` in load.py under its KIND; another package
    registers it as an entry point of the group "vestige.stores". `open_store("KIND:WHERE#NAME")` then opens it.
    CONTRIBUTING.md and tests/toy_store.py have complete examples.

    Attributes:
        place: how messages and reports name the store, as "KIND:WHERE#NAME" without credentials.
        rows: the number of rows; an estimate where `exact` is False.
        schema: the Arrow schema of all columns. Vectors are a column of lists of numbers.
        guessed: which choices the user left open and the table made, such as "collection".
        bytes_read: grows with what is read; None where the store does not reveal it.
        ranges: whether some rows in the middle can be read without reading the rest.
        layout: what `open_store` needs to open the table in another process without reading its metadata again.
        row_numbers: what numbers the rows as their owner does: their position in a file, or their id in a database.
    """

    place: str
    rows: int
    schema: Any
    exact: bool = True
    guessed: tuple[str, ...] = ()
    bytes_read: int | None = 0
    row_numbers: Literal["position", "id"] = "position"
    ranges: bool = True
    layout: Any = None

    @abstractmethod
    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Return the rows at these positions, in this order, as an Arrow table of these columns."""

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Positions, bool]:
        """Draw the positions of `n` rows uniformly over the table, and return whether neighbours come together."""
        return draw_rows(self.rows, n, rng), False

    def batches(self, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Yield all rows in order, `size` at a time."""
        for start in range(0, self.rows, size):
            yield self.take(np.arange(start, min(start + size, self.rows)), names)

    def cut(self, rows: int) -> list[tuple[int, int]]:
        """Cut the table into ranges of about so many rows, each of which `read` can read at the least cost."""
        if not self.ranges:
            return [(0, self.rows)]
        return [(start, min(start + rows, self.rows)) for start in range(0, self.rows, rows)]

    def read(self, start: int, stop: int, size: int, names: Sequence[str]) -> Iterator[Any]:
        """Yield the rows from `start` to `stop`, a range of `cut`, in order, `size` at a time."""
        if not self.ranges:
            yield from self.batches(size, names)
            return
        for first in range(start, stop, size):
            yield self.take(np.arange(first, min(first + size, stop)), names)

    def check_files(self, start: int, stop: int) -> None:  # noqa: B027
        """Raise `SourceChanged` if a file with rows from `start` to `stop` has changed since the table was opened."""

    def form(self, name: str) -> str | None:  # noqa: ARG002
        """Name the encoding of a column of vectors, such as "float16"; None where the column's type says it."""
        return None

    def close(self) -> None:  # noqa: B027
        """Release files and connections."""


class KeyedTable(VectorTable):
    """A table of a database that finds rows by their keys.

    A position is an index into the list of all keys, so drawing a sample reads only the keys. The columns are the union
    of those of `SCHEMA_ROWS` rows spread over the table. Rows may have been added in any order, so texts in a separate
    file are matched by id. A subclass calls `set_keys` in its constructor and implements `fetch`.
    """

    bytes_read = None
    row_numbers = "id"

    def set_keys(self, place: str, keys: Sequence[Any]) -> None:
        """Set the name and the keys of the table, once, and find its columns."""
        self.place, self._keys, self.rows = place, keys, len(keys)
        spread = np.unique(np.linspace(0, max(self.rows - 1, 0), SCHEMA_ROWS, dtype=np.int64)).tolist() if keys else []
        rows = list(self._fetch_at(spread, None))
        self.schema = build_table(rows, list_columns(rows, place), place).schema

    @abstractmethod
    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> Sequence[Mapping[str, Any]]:
        """Return the rows of these keys, in this order, with at least these columns; with all columns for None."""

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Fetch the rows by their keys, a thousand at a time."""
        return build_table(list(self._fetch_at(positions.tolist(), names)), names, self.place, self.schema)

    def _fetch_at(self, positions: Sequence[int], names: Sequence[str] | None) -> Iterator[Mapping[str, Any]]:
        for start in range(0, len(positions), KEYS_AT_ONCE):
            yield from self.fetch([self._keys[position] for position in positions[start : start + KEYS_AT_ONCE]], names)


def accepts_servers(opener: _Opener) -> _Opener:
    """Declare, as a decorator, that WHERE may be the address of a server, such as "http://HOST:PORT"."""
    setattr(opener, SERVERS, True)
    return opener


def draw_rows(rows: int, n: int, rng: np.random.Generator) -> Positions:
    """Draw `n` of `rows` row numbers without replacement, in ascending order; all of them if there are no more."""
    if n >= rows:
        return np.arange(rows)
    return np.sort(rng.choice(rows, n, replace=False, shuffle=False))


def choose_collection(name: str | None, names: Sequence[str], place: str, what: str) -> tuple[str, tuple[str, ...]]:
    """Return the named collection and (), or the only one of the store and the tuple that marks it as guessed."""
    if name is not None and name in names:
        return name, ()
    if name is not None:
        raise InputError(f"{place} has no {what} '{name}'; {nearest(name, list(names)) if names else 'it has none'}")
    if not names:
        raise InputError(f"{place} has no {what}; expected one that holds vectors, check the path or address")
    if len(names) > 1:
        raise InputError(f"{place} has {len(names)} {what}s ({', '.join(names)}); name one as in '{place}#NAME'")
    return names[0], (what,)
