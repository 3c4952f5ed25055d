"""Vectors in the folder of an embedded Chroma."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.stores.copy_on_read import check_complete, copy_files, list_files
from vestige.stores.table import KeyedTable, choose_collection

DATABASE = "chroma.sqlite3"
PARTS = {"embeddings": "vector", "documents": "text"}


class ChromaTable(KeyedTable):
    """A collection, read from a copy of the folder, because Chroma writes into the folder it opens.

    Documents are the column "text"; each metadata key is a column. No embedding function is loaded.
    """

    def __init__(self, where: str, name: str | None) -> None:
        self.place = f"chroma:{where}"
        self._open = ExitStack()
        try:
            client = self._connect(Path(where))
            names = sorted(collection.name for collection in client.list_collections())
            chosen, self.guessed = choose_collection(name, names, self.place, "collection")
            self._collection = client.get_collection(chosen, embedding_function=None)
            self.set_keys(f"{self.place}#{chosen}", self._collection.get(include=[])["ids"])
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:
        """Get the records of these ids, and put them into the order of the ids."""
        parts = [part for part, name in PARTS.items() if names is None or name in names]
        records = self._collection.get(ids=list(keys), include=[*parts, "metadatas"])
        rows = {
            key: _build_row(key, records["metadatas"][i] or {}, {PARTS[part]: records[part][i] for part in parts})
            for i, key in enumerate(records["ids"])
        }
        return [rows[key] for key in keys]

    def form(self, name: str) -> str | None:
        """Chroma stores float32 and returns float64."""
        return "float32" if name == "vector" else None

    def close(self) -> None:
        """Close the client and delete the copy."""
        self._open.close()

    def _connect(self, folder: Path) -> Any:
        import chromadb
        from chromadb.config import Settings
        from chromadb.errors import ChromaError

        files = list_files(folder)
        if folder / DATABASE not in files:
            raise InputError(f"{folder} has no {DATABASE}; expected the folder of a Chroma PersistentClient")
        check_complete(folder / DATABASE)
        copy = self._open.enter_context(copy_files(folder, files))
        try:
            client: Any = chromadb.PersistentClient(copy, settings=Settings(anonymized_telemetry=False))
        except (ChromaError, ValueError, RuntimeError) as error:
            raise InputError(f"{self.place} cannot be opened ({error}); expected a complete Chroma folder") from error
        self._open.callback(client.close)
        return client


def _build_row(key: str, metadata: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """Merge the metadata with Chroma's own parts. A metadata key that collides with one is renamed "metadata KEY".

    A missing document does not collide, so a text in the metadata remains the column "text".
    """
    parts = {name: value for name, value in parts.items() if value is not None or name not in metadata}
    plain = {name: value for name, value in metadata.items() if name not in ("id", *parts)}
    renamed = {f"metadata {name}": value for name, value in metadata.items() if name in ("id", *parts)}
    return {**plain, **renamed, "id": key, **parts}
