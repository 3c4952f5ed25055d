"""Vectors in LanceDB tables, rows by their offset."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.stores.chosen import chosen
from vestige.stores.table import Places, Table


class LanceTable(Table):
    """A table of a folder, as it was when it was opened. Only the rows and columns asked for are read."""

    bytes_read = None

    def __init__(self, where: str, name: str | None) -> None:
        import lancedb

        self.place = f"lancedb:{where}"
        if not Path(where).is_dir():
            raise InputError(f"{where} is not there or is not a folder; check the path")
        names = sorted(path.stem for path in Path(where).glob("*.lance"))
        found, self.guessed = chosen(name, names, self.place, "table")
        self.place = f"{self.place}#{found}"
        try:
            self._table = lancedb.connect(where).open_table(found)
            self._table.checkout(self._table.version)
            self.rows, self.schema = self._table.count_rows(), self._table.schema
        except (ValueError, RuntimeError, OSError) as error:
            raise InputError(f"{self.place} cannot be opened ({_said(error)}); expected a whole table") from error

    def take(self, places: Places, names: Sequence[str]) -> Any:
        """The rows, by their offsets."""
        try:
            return self._table.take_offsets(places.tolist()).select(list(names)).to_arrow()
        except (ValueError, RuntimeError, OSError) as error:
            raise InputError(f"{self.place} cannot be read ({_said(error)}); expected a whole table") from error


def _said(error: Exception) -> str:
    """What went wrong, without the place in Lance's own source."""
    return str(error).partition(", /")[0]
