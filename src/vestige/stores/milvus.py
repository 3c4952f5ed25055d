"""Vectors in the file of a Milvus Lite, which since version 3 is a folder."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.stores.chosen import chosen
from vestige.stores.copies import copied, files_under
from vestige.stores.keyed import KeyedTable

PAGE = 1000
TALKERS = ("pymilvus", "milvus_lite")
"""They log what they raise, with a traceback."""


class MilvusTable(KeyedTable):
    """A collection, read from a copy: Milvus Lite writes into what it opens. Dynamic fields are columns too."""

    def __init__(self, where: str, name: str | None) -> None:
        self.place = f"milvus:{where}"
        self._open, self._copy = ExitStack(), Path()
        try:
            with self._answering():
                self._client = self._connected(Path(where))
                names = sorted(self._client.list_collections())
            self._name, self.guessed = chosen(name, names, self.place, "collection")
            with self._answering():
                fields = self._client.describe_collection(self._name)["fields"]
                self._key = next(field["name"] for field in fields if field.get("is_primary"))
                self._client.load_collection(self._name)
                keys = list(self._keys_in_order())
            self.look(f"{self.place}#{self._name}", keys)
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:
        """The entities with these keys, put in their order."""
        asked = ["*"] if names is None else [*names]
        with self._answering():
            found = self._client.get(self._name, ids=list(keys), output_fields=asked)
        rows = {row[self._key]: dict(row) for row in found}
        return [rows[key] for key in keys]

    def form(self, name: str) -> str | None:  # noqa: ARG002
        """Milvus Lite keeps float32 and no other vectors."""
        return "float32"

    def close(self) -> None:
        """Stop Milvus and drop the copy."""
        self._open.close()

    def _connected(self, path: Path) -> Any:
        from milvus_lite.server_manager import server_manager_instance
        from pymilvus import MilvusClient

        if path.exists() and path.suffix != ".db":
            raise InputError(f"{path} ends in '{path.suffix}'; expected what Milvus Lite made, which ends in .db")
        files = [path] if path.is_file() else files_under(path)
        self._copy = copy = self._open.enter_context(copied(path.parent, files))
        _check_logs(copy / path.name, self.place)
        served = str(copy / path.name)
        self._open.callback(server_manager_instance.release_server, served)  # else it writes there again at exit
        client = MilvusClient(served)
        self._open.callback(client.close)
        return client

    def _keys_in_order(self) -> Iterator[Any]:
        pages = self._client.query_iterator(self._name, batch_size=PAGE, output_fields=[self._key])
        while page := pages.next():
            yield from (row[self._key] for row in page)
        pages.close()

    @contextmanager
    def _answering(self) -> Iterator[None]:
        from pymilvus.exceptions import MilvusException

        levels = {logging.getLogger(name): logging.getLogger(name).level for name in TALKERS}
        for logger in levels:
            logger.setLevel(logging.CRITICAL)
        try:
            yield
        except MilvusException as error:
            said = error.message.replace(f"{self._copy}/", "")
            raise InputError(f"{self.place} cannot be read ({said}); expected a whole Milvus Lite") from error
        finally:
            for logger, level in levels.items():
                logger.setLevel(level)


def _check_logs(folder: Path, place: str) -> None:
    """Refuse a write-ahead log that ends within a batch: Milvus Lite would drop the rest of it without a word."""
    import pyarrow as pa

    for log in sorted(folder.glob("collections/*/wal/*.arrow")):
        try:
            with pa.memory_map(str(log)) as file:
                for _ in pa.ipc.open_stream(file) if file.size() else ():
                    pass
        except (pa.ArrowException, OSError) as error:
            raise InputError(
                f"{place} is half written ({log.name}: {error}); close its writer, or write the last rows again"
            ) from error
