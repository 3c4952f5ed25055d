"""Vectors in the folder of an embedded Chroma."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.stores.chosen import chosen
from vestige.stores.copies import copied, files_under
from vestige.stores.keyed import KeyedTable
from vestige.stores.sqlite_file import check_whole

DATABASE = "chroma.sqlite3"
PARTS = {"embeddings": "vector", "documents": "text"}


class ChromaTable(KeyedTable):
    """A collection, read from a copy of the folder: Chroma writes into the one it opens.

    Documents are the column "text"; each key of the metadata is a column. No embedding function is loaded.
    """

    def __init__(self, where: str, name: str | None) -> None:
        self.place = f"chroma:{where}"
        self._open = ExitStack()
        try:
            client = self._client(Path(where))
            names = sorted(each.name for each in client.list_collections())
            found, self.guessed = chosen(name, names, self.place, "collection")
            self._collection = client.get_collection(found, embedding_function=None)
            self.look(f"{self.place}#{found}", self._collection.get(include=[])["ids"])
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:
        """What Chroma has under these ids, put in their order."""
        parts = [part for part, name in PARTS.items() if names is None or name in names]
        found = self._collection.get(ids=list(keys), include=[*parts, "metadatas"])
        rows = {
            key: _row(key, found["metadatas"][place] or {}, {PARTS[part]: found[part][place] for part in parts})
            for place, key in enumerate(found["ids"])
        }
        return [rows[key] for key in keys]

    def form(self, name: str) -> str | None:
        """Chroma keeps float32 and gives it out as float64."""
        return "float32" if name == "vector" else None

    def close(self) -> None:
        """Close the client and drop the copy."""
        self._open.close()

    def _client(self, folder: Path) -> Any:
        import chromadb
        from chromadb.config import Settings
        from chromadb.errors import ChromaError

        files = files_under(folder)
        if folder / DATABASE not in files:
            raise InputError(f"{folder} has no {DATABASE}; expected the folder of a Chroma PersistentClient")
        check_whole(folder / DATABASE)
        copy = self._open.enter_context(copied(folder, files))
        try:
            client: Any = chromadb.PersistentClient(copy, settings=Settings(anonymized_telemetry=False))
        except (ChromaError, ValueError, RuntimeError) as error:
            raise InputError(f"{self.place} cannot be opened ({error}); expected a whole folder of Chroma") from error
        self._open.callback(client.close)
        return client


def _row(key: str, metadata: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Metadata under its own names, but for those that Chroma's parts have: a text that is no document stays a text."""
    own = {name: value for name, value in own.items() if value is not None or name not in metadata}
    taken = {name: value for name, value in metadata.items() if name not in ("id", *own)}
    apart = {f"metadata {name}": value for name, value in metadata.items() if name in ("id", *own)}
    return {**taken, **apart, "id": key, **own}
