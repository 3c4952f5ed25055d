"""Tables of databases that find a row by its key."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from vestige.stores.arrow_rows import as_table, names_in
from vestige.stores.table import Places, Table

SEEN = 256
"""Rows from all over a table that tell its columns."""

AT_ONCE = 1000


class KeyedTable(Table):
    """Places are numbers in the list of all keys, so that keys are all that is read to draw a sample.

    The columns are those that rows from all over have. What the database reads for it is not known here. Rows may have
    been added or changed in any order: texts that lie elsewhere are found by the ids alone.
    """

    bytes_read = None
    numbered = "id"

    def look(self, place: str, keys: Sequence[Any]) -> None:
        """Say once which keys there are; the columns are then looked up."""
        self.place, self._keys, self.rows = place, keys, len(keys)
        some = np.unique(np.linspace(0, max(self.rows - 1, 0), SEEN, dtype=np.int64)).tolist() if keys else []
        seen = list(self._fetched(some, None))
        self.schema = as_table(seen, names_in(seen, place), place).schema

    @abstractmethod
    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> Sequence[Mapping[str, Any]]:
        """The rows of these keys in order, with these columns and perhaps more, or with all."""

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows by their keys, some at a time."""
        return as_table(list(self._fetched(places.tolist(), names)), names, self.place, self.schema)

    def _fetched(self, places: Sequence[int], names: Sequence[str] | None) -> Iterator[Mapping[str, Any]]:
        for start in range(0, len(places), AT_ONCE):
            yield from self.fetch([self._keys[place] for place in places[start : start + AT_ONCE]], names)
