"""Vectors in Qdrant: a server, or the folder of an embedded one."""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from vestige.errors import InputError, MissingExtra
from vestige.memory import read_file
from vestige.stores.copy_on_read import check_table, open_sqlite, query_sqlite
from vestige.stores.pickled_points import parse_point
from vestige.stores.source_address import strip_credentials
from vestige.stores.table import KeyedTable, accepts_servers, choose_collection

WAIT_S = 10
IDS_PER_PAGE = 10_000


@accepts_servers
def open_qdrant(where: str, name: str | None) -> KeyedTable:
    """Open a collection of a server, by its address, or of an embedded Qdrant, by its folder.

    The server's key is read from the environment variable QDRANT_API_KEY.
    """
    if "://" not in where:
        return QdrantFolder(where, name)
    place = f"qdrant:{strip_credentials(where)}"
    if not where.startswith(("http://", "https://")):
        raise InputError(
            f"{place} is not an address of a Qdrant server; expected one such as 'qdrant:http://HOST:PORT#NAME'"
        )
    if "," in urlsplit(where).netloc.rpartition("@")[2]:
        raise InputError(f"{place} names several hosts; expected one, as in 'qdrant:http://HOST:PORT#NAME'")
    if find_spec("qdrant_client") is None:
        raise MissingExtra("'qdrant_client'", "qdrant")
    from qdrant_client import QdrantClient

    client = QdrantClient(
        url=where, api_key=os.environ.get("QDRANT_API_KEY"), timeout=WAIT_S, check_compatibility=False
    )
    return QdrantServer(client, place, name)


class QdrantServer(KeyedTable):
    """A collection of a server. Ids are listed once, without vectors; a sample then fetches only its own points."""

    def __init__(self, client: Any, place: str, name: str | None) -> None:
        self.place, self._client = place, client
        try:
            with self._translate_errors():
                names = sorted(collection.name for collection in client.get_collections().collections)
            self._name, self.guessed = choose_collection(name, names, place, "collection")
            with self._translate_errors():
                config = client.get_collection(self._name).config.params.model_dump()["vectors"]
                self._datatypes = list_datatypes(config)
                self.set_keys(f"{place}#{self._name}", list(self._list_ids()))
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:
        """Retrieve the points with their payload, in the order of the keys."""
        vectors = [name for name in self._datatypes if names is None or name in names]
        selected: bool | list[str] = bool(vectors) if list(self._datatypes) == ["vector"] else vectors
        with self._translate_errors():
            points = self._client.retrieve(self._name, keys, with_payload=True, with_vectors=selected)
        rows = {point.id: build_row(point.id, point.vector, point.payload) for point in points}
        if len(rows) < len(keys):
            raise InputError(f"{self.place} lost {len(keys) - len(rows)} points while it was read; try again")
        return [rows[key] for key in keys]

    def form(self, name: str) -> str | None:
        """The datatype that the collection is configured with."""
        return self._datatypes.get(name)

    def close(self) -> None:
        """Close the client."""
        self._client.close()

    def _list_ids(self) -> Iterator[Any]:
        offset = None
        while True:
            points, offset = self._client.scroll(
                self._name, limit=IDS_PER_PAGE, offset=offset, with_payload=False, with_vectors=False
            )
            yield from (point.id for point in points)
            if offset is None:
                return

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

        try:
            yield
        except UnexpectedResponse as error:
            remedy = "set its key in QDRANT_API_KEY" if error.status_code in (401, 403) else "check the server"
            raise InputError(f"{self.place} answered {error.status_code} {error.reason_phrase}; {remedy}") from error
        except (ResponseHandlingException, ApiException) as error:
            raise InputError(f"{self.place} does not answer ({error}); check the address and the server") from error


class QdrantFolder(KeyedTable):
    """A collection of an embedded Qdrant, read from its SQLite file without the client.

    Vectors that Qdrant compares by cosine are normalized to unit length, as Qdrant scores them.
    """

    def __init__(self, where: str, name: str | None) -> None:
        self.place = f"qdrant:{where}"
        self._open = ExitStack()
        try:
            collections = _read_collections(Path(where))
            chosen, self.guessed = choose_collection(name, sorted(collections), self.place, "collection")
            config = collections[chosen].get("vectors")
            self._datatypes = list_datatypes(config)
            self._cosine = {
                name for name, vector in list_dense_vectors(config).items() if vector["distance"] == "Cosine"
            }
            database = Path(where) / "collection" / chosen / "storage.sqlite"
            self._connection = self._open.enter_context(open_sqlite(database))
            with self._translate_errors():
                check_table(self._connection, "points", self.place)
            keys = [key for (key,) in self._query("SELECT rowid FROM points ORDER BY rowid")]
            self.set_keys(f"{self.place}#{chosen}", keys)
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:  # noqa: ARG002
        """Look up one point per key."""
        found = [self._query("SELECT point FROM points WHERE rowid = ?", (key,)) for key in keys]
        if not all(rows and isinstance(rows[0][0], bytes) for rows in found):
            raise InputError(f"{self.place} is broken (a point is missing); expected a complete folder of Qdrant")
        return [self._build_row(parse_point(rows[0][0], self.place)) for rows in found]

    def form(self, name: str) -> str | None:
        """The datatype that the collection is configured with."""
        return self._datatypes.get(name)

    def close(self) -> None:
        """Close the file."""
        self._open.close()

    def _build_row(self, point: dict[str, Any]) -> dict[str, Any]:
        try:
            row = build_row(point["id"], point["vector"], point["payload"])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InputError(
                f"{self.place} has a point without a usable id, vector or payload ({error}); write it again"
            ) from error
        for name in self._cosine:
            vector = row.get(name)
            if vector is not None and vector.any():
                row[name] = vector / np.linalg.norm(vector)
        return row

    def _query(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with self._translate_errors():
            return query_sqlite(self._connection, query, values)

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except InputError:
            raise
        except sqlite3.OperationalError as error:
            raise InputError(f"{self.place} cannot be read ({error}); close the program that uses it") from error
        except (sqlite3.Error, UnicodeDecodeError, OverflowError, ValueError) as error:
            raise InputError(f"{self.place} is broken ({error}); expected a complete folder of Qdrant") from error


def build_row(key: Any, vector: Any, payload: Mapping[str, Any] | None) -> dict[str, Any]:
    """Build a row of the id, the payload, and a column per named vector; a vector without a name is "vector".

    Sparse vectors and lists of vectors are skipped.
    """
    named = vector if isinstance(vector, dict) else {"": vector}
    vectors = {
        name or "vector": np.asarray(value, dtype=np.float32) for name, value in named.items() if _is_dense(value)
    }
    return {**(payload or {}), **vectors, "id": key}


def list_dense_vectors(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """The configuration of each column of dense vectors. `config` is None if a collection has only sparse vectors."""
    named = {"vector": config} if config and "size" in config else config or {}
    return {name or "vector": vector for name, vector in named.items() if not vector.get("multivector_config")}


def list_datatypes(config: Mapping[str, Any] | None) -> dict[str, str]:
    """The number type of each column of dense vectors."""
    dense = list_dense_vectors(config)
    return {name: str(vector.get("datatype") or "float32").lower() for name, vector in dense.items()}


def _is_dense(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and not isinstance(value[0], list)


def _read_collections(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise InputError(f"{folder} does not exist or is not a folder; check the path")
    path = folder / "meta.json"
    if not path.is_file():
        raise InputError(f"{folder} has no meta.json; expected the folder of an embedded Qdrant, or an address")
    try:
        collections = dict(json.loads(read_file(path).decode("utf-8"))["collections"])
        for name, config in collections.items():
            if Path(name).name != name or not isinstance(config.get("vectors") or {}, dict):
                raise ValueError(f"collection {name!r}")
            for vector in list_dense_vectors(config.get("vectors")).values():
                vector["distance"], vector.get("datatype")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{path} is half written or damaged ({error}); expected the folder of an embedded Qdrant"
        ) from error
    return collections
