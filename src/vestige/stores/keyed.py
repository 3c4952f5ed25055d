"""Tables of databases that find a row by its key."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vestige.stores.arrow_rows import as_table, names_in
from vestige.stores.table import Places, Table

SEEN_FIRST = 64
AT_ONCE = 1000


class KeyedTable(Table):
    """Places are numbers in the list of all keys, so that keys are all that is read to draw a sample.

    The columns are those that the first rows have. What the database reads for it is not known here. Keys that are
    whole numbers come in the order in which rows were added; by others rows are sorted, and their order is lost.
    """

    bytes_read = None

    def look(self, place: str, keys: Sequence[Any]) -> None:
        """Say once which keys there are; the columns are then looked up."""
        self.place, self._keys, self.rows = place, keys, len(keys)
        if not all(isinstance(key, int) for key in keys):
            self.numbered = None
        head = list(self._fetched(range(min(SEEN_FIRST, self.rows)), None))
        self.schema = as_table(head, names_in(head), place).schema

    @abstractmethod
    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> Sequence[Mapping[str, Any]]:
        """The rows of these keys in order, with these columns and perhaps more, or with all."""

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows by their keys, some at a time."""
        return as_table(list(self._fetched(places.tolist(), names)), names, self.place, self.schema)

    def _fetched(self, places: Sequence[int], names: Sequence[str] | None) -> Iterator[Mapping[str, Any]]:
        for start in range(0, len(places), AT_ONCE):
            yield from self.fetch([self._keys[place] for place in places[start : start + AT_ONCE]], names)
