"""Vectors in the file of a Milvus Lite; since version 3 it is a folder."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.stores.copy_on_read import copy_files, list_files
from vestige.stores.table import KeyedTable, choose_collection

KEYS_PER_PAGE = 1000
LOGGERS = ("pymilvus", "milvus_lite")
"""They log every error that they raise, with a traceback."""


class MilvusTable(KeyedTable):
    """A collection, read from a copy, because Milvus Lite writes into what it opens. Dynamic fields are columns too."""

    def __init__(self, where: str, name: str | None) -> None:
        self.place = f"milvus:{where}"
        self._open, self._copy = ExitStack(), Path()
        try:
            with self._translate_errors():
                self._client = self._connect(Path(where))
                names = sorted(self._client.list_collections())
            self._name, self.guessed = choose_collection(name, names, self.place, "collection")
            with self._translate_errors():
                fields = self._client.describe_collection(self._name)["fields"]
                self._key = next(field["name"] for field in fields if field.get("is_primary"))
                self._client.load_collection(self._name)
                keys = list(self._list_keys())
            self.set_keys(f"{self.place}#{self._name}", keys)
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:
        """Get the entities of these keys, and put them into the order of the keys."""
        fields = ["*"] if names is None else [*names]
        with self._translate_errors():
            entities = self._client.get(self._name, ids=list(keys), output_fields=fields)
        rows = {row[self._key]: dict(row) for row in entities}
        return [rows[key] for key in keys]

    def form(self, name: str) -> str | None:  # noqa: ARG002
        """Milvus Lite stores float32 vectors only."""
        return "float32"

    def close(self) -> None:
        """Stop Milvus and delete the copy."""
        self._open.close()

    def _connect(self, path: Path) -> Any:
        from milvus_lite.server_manager import server_manager_instance
        from pymilvus import MilvusClient

        if path.exists() and path.suffix != ".db":
            raise InputError(f"{path} ends in '{path.suffix}'; expected what Milvus Lite wrote, which ends in .db")
        files = [path] if path.is_file() else list_files(path)
        self._copy = copy = self._open.enter_context(copy_files(path.parent, files))
        _check_logs(copy / path.name, self.place)
        served = str(copy / path.name)
        self._open.callback(server_manager_instance.release_server, served)  # Otherwise it writes there again at exit.
        client = MilvusClient(served)
        self._open.callback(client.close)
        return client

    def _list_keys(self) -> Iterator[Any]:
        pages = self._client.query_iterator(self._name, batch_size=KEYS_PER_PAGE, output_fields=[self._key])
        while page := pages.next():
            yield from (row[self._key] for row in page)
        pages.close()

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Turn errors of Milvus into input errors, without its own log lines and the path of the copy."""
        from pymilvus.exceptions import MilvusException

        levels = {logging.getLogger(name): logging.getLogger(name).level for name in LOGGERS}
        for logger in levels:
            logger.setLevel(logging.CRITICAL)
        try:
            yield
        except MilvusException as error:
            message = error.message.replace(f"{self._copy}/", "")
            raise InputError(f"{self.place} cannot be read ({message}); expected a complete Milvus Lite") from error
        finally:
            for logger, level in levels.items():
                logger.setLevel(level)


def _check_logs(folder: Path, place: str) -> None:
    """Raise if a write-ahead log ends within a batch: Milvus Lite would drop the rest of it silently."""
    import pyarrow as pa

    for path in sorted(folder.glob("collections/*/wal/*.arrow")):
        try:
            with pa.memory_map(str(path)) as file:
                for _ in pa.ipc.open_stream(file) if file.size() else ():
                    pass
        except (pa.ArrowException, OSError) as error:
            raise InputError(
                f"{place} is half written ({path.name}: {error}); close the program that writes it, "
                "or write the last rows again"
            ) from error
