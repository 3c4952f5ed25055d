"""Vectors in Qdrant: the folder of an embedded one, or a server."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from vestige.errors import InputError, MissingExtra
from vestige.stores.addresses import without_user
from vestige.stores.chosen import chosen
from vestige.stores.keyed import KeyedTable
from vestige.stores.qdrant_folder import QdrantFolder
from vestige.stores.qdrant_points import as_row, datatypes

WAIT_S = 10
PAGE = 10_000


def open_qdrant(where: str, name: str | None) -> KeyedTable:
    """A collection by the address of a server, with its key in QDRANT_API_KEY, or by the folder of an embedded one."""
    if "://" not in where:
        return QdrantFolder(where, name)
    place = f"qdrant:{without_user(where)}"
    if not where.startswith(("http://", "https://")):
        raise InputError(f"{place} is no address of a Qdrant server; expected one as in 'qdrant:http://HOST:PORT#NAME'")
    if "," in urlsplit(where).netloc.rpartition("@")[2]:
        raise InputError(f"{place} names several hosts; expected one of them, as in 'qdrant:http://HOST:PORT#NAME'")
    if find_spec("qdrant_client") is None:
        raise MissingExtra("'qdrant_client'", "qdrant")
    from qdrant_client import QdrantClient

    client = QdrantClient(
        url=where, api_key=os.environ.get("QDRANT_API_KEY"), timeout=WAIT_S, check_compatibility=False
    )
    return QdrantServer(client, place, name)


class QdrantServer(KeyedTable):
    """A collection behind a client. Ids are listed once, without vectors; a sample then fetches its own points."""

    def __init__(self, client: Any, place: str, name: str | None) -> None:
        self.place, self._client = place, client
        try:
            with self._answering():
                names = sorted(each.name for each in client.get_collections().collections)
            self._name, self.guessed = chosen(name, names, place, "collection")
            with self._answering():
                self._kinds = datatypes(client.get_collection(self._name).config.params.model_dump()["vectors"])
                self.look(f"{place}#{self._name}", list(self._ids()))
        except BaseException:
            self.close()
            raise

    def fetch(self, keys: Sequence[Any], names: Sequence[str] | None) -> list[dict[str, Any]]:
        """The points with their payload, in the order of the keys."""
        vectors = [name for name in self._kinds if names is None or name in names]
        asked: bool | list[str] = bool(vectors) if list(self._kinds) == ["vector"] else vectors
        with self._answering():
            points = self._client.retrieve(self._name, keys, with_payload=True, with_vectors=asked)
        found = {point.id: as_row(point.id, point.vector, point.payload) for point in points}
        if len(found) < len(keys):
            raise InputError(f"{self.place} lost {len(keys) - len(found)} points while it was read; try again")
        return [found[key] for key in keys]

    def form(self, name: str) -> str | None:
        """As the collection is configured."""
        return self._kinds.get(name)

    def close(self) -> None:
        """Close the client."""
        self._client.close()

    def _ids(self) -> Iterator[Any]:
        offset = None
        while True:
            points, offset = self._client.scroll(
                self._name, limit=PAGE, offset=offset, with_payload=False, with_vectors=False
            )
            yield from (point.id for point in points)
            if offset is None:
                return

    @contextmanager
    def _answering(self) -> Iterator[None]:
        from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

        try:
            yield
        except UnexpectedResponse as error:
            remedy = "set its key in QDRANT_API_KEY" if error.status_code in (401, 403) else "check the server"
            raise InputError(f"{self.place} answered {error.status_code} {error.reason_phrase}; {remedy}") from error
        except (ResponseHandlingException, ApiException) as error:
            raise InputError(f"{self.place} does not answer ({error}); check the address and the server") from error
