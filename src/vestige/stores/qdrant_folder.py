"""Vectors in the folder of an embedded Qdrant, read from the SQLite file that it keeps a collection in."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from vestige.errors import InputError
from vestige.stores.chosen import chosen
from vestige.stores.keyed import KeyedTable
from vestige.stores.pickled_points import as_plain_data
from vestige.stores.qdrant_points import as_row, configured, datatypes
from vestige.stores.sqlite_file import address

WAIT_S = 2


class QdrantFolder(KeyedTable):
    """A collection by the rows of its file. Vectors compared by cosine are given at unit length, as Qdrant scores."""

    def __init__(self, where: str, name: str | None) -> None:
        self.place = f"qdrant:{where}"
        self._open = ExitStack()
        try:
            collections = _collections(Path(where))
            found, self.guessed = chosen(name, sorted(collections), self.place, "collection")
            vectors = collections[found]["vectors"]
            self._kinds = datatypes(vectors)
            self._cosine = {each for each, config in configured(vectors).items() if config["distance"] == "Cosine"}
            file = Path(where) / "collection" / found / "storage.sqlite"
            self._connection = sqlite3.connect(
                self._open.enter_context(address(file)), uri=True, timeout=WAIT_S, check_same_thread=False
            )
            self._open.callback(self._connection.close)
            self.look(f"{self.place}#{found}", [key for (key,) in self._ask("SELECT rowid FROM points ORDER BY rowid")])
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:  # noqa: ARG002
        """One lookup a row."""
        blobs = [self._ask("SELECT point FROM points WHERE rowid = ?", (key,))[0][0] for key in keys]
        return [self._row(as_plain_data(blob, self.place)) for blob in blobs]

    def form(self, name: str) -> str | None:
        """As the collection is configured."""
        return self._kinds.get(name)

    def close(self) -> None:
        """Close the file."""
        self._open.close()

    def _row(self, point: dict[str, Any]) -> dict[str, Any]:
        row = as_row(point["id"], point["vector"], point["payload"])
        for name in self._cosine:
            vector = row.get(name)
            if vector is not None and vector.any():
                row[name] = vector / np.linalg.norm(vector)
        return row

    def _ask(self, query: str, given: tuple[Any, ...] = ()) -> list[Any]:
        try:
            return self._connection.execute(query, given).fetchall()
        except sqlite3.OperationalError as error:
            raise InputError(f"{self.place} cannot be read ({error}); close the program that has it open") from error
        except sqlite3.DatabaseError as error:
            raise InputError(f"{self.place} is broken ({error}); expected a whole folder of Qdrant") from error


def _collections(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise InputError(f"{folder} is not there or is not a folder; check the path")
    book = folder / "meta.json"
    if not book.is_file():
        raise InputError(f"{folder} has no meta.json; expected the folder of an embedded Qdrant, or an address")
    try:
        found = json.loads(book.read_text())["collections"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{book} is half written ({error}); expected the folder of an embedded Qdrant") from error
    return dict(found)
