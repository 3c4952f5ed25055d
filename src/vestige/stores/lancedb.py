"""Vectors in a LanceDB table; rows are read by offset."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.stores.table import Positions, VectorTable, choose_collection


class LanceTable(VectorTable):
    """A table of a LanceDB folder, at the version it had when opened. Only the rows and columns used are read."""

    bytes_read = None

    def __init__(self, where: str, name: str | None) -> None:
        import lancedb

        self.place = f"lancedb:{where}"
        if not Path(where).is_dir():
            raise InputError(f"{where} does not exist or is not a folder; check the path")
        names = sorted(path.stem for path in Path(where).glob("*.lance"))
        chosen, self.guessed = choose_collection(name, names, self.place, "table")
        self.place = f"{self.place}#{chosen}"
        _refuse_others(Path(where) / f"{chosen}.lance")
        try:
            self._table = lancedb.connect(where).open_table(chosen)
            self._table.checkout(self._table.version)
            self.rows, self.schema = self._table.count_rows(), self._table.schema
        except (ValueError, RuntimeError, OSError) as error:
            raise InputError(f"{self.place} cannot be opened ({_shorten(error)}); expected a complete table") from error

    def take(self, positions: Positions, names: Sequence[str]) -> Any:
        """Read the rows by offset."""
        try:
            return self._table.take_offsets(positions.tolist()).select(list(names)).to_arrow()
        except (ValueError, RuntimeError, OSError) as error:
            raise InputError(f"{self.place} cannot be read ({_shorten(error)}); expected a complete table") from error


def _refuse_others(folder: Path) -> None:
    """Raise if the table has anything but files and folders: of a pipe, Lance waits for content for ever."""
    for path in folder.rglob("*"):
        if not path.is_file() and not path.is_dir():
            raise InputError(f"{path} is neither a file nor a folder; expected a complete table, write it again")


def _shorten(error: Exception) -> str:
    """The message of a Lance error, without the location in Lance's source."""
    return str(error).partition(", /")[0]
