"""A complete store: lists of records in memory. It is the example of what a plugin for a new kind of store contains."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from typing import Any, ClassVar

import pytest

from vestige.errors import InputError
from vestige.stores.arrow_columns import build_table, list_columns
from vestige.stores.load import STORES
from vestige.stores.table import Positions, VectorTable, accepts_servers, choose_collection


class ToyTable(VectorTable):
    """toy:SHELF#COLLECTION, lists of records in memory."""

    shelves: ClassVar[dict[str, dict[str, list[dict[str, Any]]]]] = {}

    def __init__(self, where: str, name: str | None) -> None:
        if where not in self.shelves:
            raise InputError(f"toy:{where} does not exist; expected one of the shelves {', '.join(self.shelves)}")
        collections = self.shelves[where]
        chosen, self.guessed = choose_collection(name, sorted(collections), f"toy:{where}", "collection")
        self.place = f"toy:{where}#{chosen}"
        self._records = collections[chosen]
        self.rows = len(self._records)
        self.schema = build_table(self._records, list_columns(self._records, self.place), self.place).schema

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Build an Arrow table of these rows and columns."""
        rows = [self._records[position] for position in positions.tolist()]
        return build_table(rows, names, self.place, self.schema)


@accepts_servers
def open_toy_server(where: str, name: str | None) -> ToyTable:
    """toys:ADDRESS#COLLECTION, a server of toys."""
    return ToyTable(where.removeprefix("http://"), name)


def open_nothing(where: str, name: str | None) -> list[str | None]:
    """An opener that does not return a table."""
    return [where, name]


class Unfinished(VectorTable):
    """A table that lacks `take`."""


class Unset(VectorTable):
    """A table whose constructor sets nothing."""

    def __init__(self, where: str, name: str | None) -> None:
        self.arguments = where, name

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Return nothing."""
        return positions, names


@contextmanager
def plugged(**plugins: str) -> Iterator[None]:
    """The registry of stores with plugins, name="module:object", as if packages that declare them were installed."""
    points = [EntryPoint(name, value, STORES.group) for name, value in plugins.items()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.registry.entry_points", lambda group: points if group == STORES.group else [])
        vars(STORES).pop("entries", None)
        yield
    vars(STORES).pop("entries", None)
    STORES.broken.clear()
