"""Folders and servers of Qdrant."""

import sqlite3
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from socket import create_server
from threading import Thread
from time import monotonic
from unittest.mock import Mock

import numpy as np
import pytest

from tests.store_makers import ROWS, TEXTS, VECTORS, fill_qdrant
from vestige.errors import InputError
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
from vestige.stores.qdrant import QdrantServer
from vestige.stores.store import Store

qdrant_client = pytest.importorskip("qdrant_client")


models = pytest.importorskip("qdrant_client.models")


def test_cosine_vectors_are_normalized_and_euclidean_ones_unchanged(tmp_path):
    with closing(qdrant_client.QdrantClient(path=str(tmp_path / "q"))) as client:
        shapes = {
            "turned": models.VectorParams(size=2, distance=models.Distance.COSINE),
            "plain": models.VectorParams(size=2, distance=models.Distance.EUCLID),
        }
        client.create_collection("both", vectors_config=shapes)
        point = models.PointStruct(id=5, vector={"turned": [3.0, 4.0], "plain": [3.0, 4.0]}, payload={"n": 1})
        client.upsert("both", [point])
        scored = client.retrieve("both", [5], with_vectors=True)[0].vector
    for name, expected in {"turned": [0.6, 0.8], "plain": [3, 4]}.items():
        with open_store(f"qdrant:{tmp_path / 'q'}", Columns(vectors=name)) as store:
            assert np.allclose(store.sample(1, np.random.default_rng(0)).vectors, [expected])
            assert np.allclose(scored[name], expected)
            assert store.describe().guessed == ("collection", "ids", "attributes")


PLAIN = models.VectorParams(size=2, distance=models.Distance.DOT)


MANY = PLAIN.model_copy(
    update={"multivector_config": models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)}
)


WORDS = models.SparseVector(indices=[3, 9], values=[0.5, 0.25])


@pytest.mark.parametrize("named", [False, True])
def test_sparse_vectors_and_lists_of_vectors_are_skipped(tmp_path, named):
    shapes = {"meaning": PLAIN, "tokens": MANY} if named else PLAIN
    tokens = {"tokens": [[1.0, 2.0], [3.0, 4.0]]} if named else {}
    points = [
        models.PointStruct(id=row, vector={"meaning" if named else "": [row + 1.0, 2.0], "words": WORDS, **tokens})
        for row in range(3)
    ]
    served = qdrant_client.QdrantClient(":memory:")
    with closing(qdrant_client.QdrantClient(path=str(tmp_path / "q"))) as folder:
        for client in (served, folder):
            client.create_collection("both", shapes, sparse_vectors_config={"words": models.SparseVectorParams()})
            client.upsert("both", points)
    for opened in (open_store(f"qdrant:{tmp_path / 'q'}"), Store(QdrantServer(served, "qdrant:memory", "both"))):
        with opened as store:
            assert store.describe().columns.vectors == ("meaning" if named else "vector")
            assert store.sample(3, np.random.default_rng(0)).vectors.tolist() == [[1, 2], [2, 2], [3, 2]]


def test_sparse_vectors_alone_are_refused(tmp_path):
    with closing(qdrant_client.QdrantClient(path=str(tmp_path / "q"))) as client:
        client.create_collection("thin", {}, sparse_vectors_config={"words": models.SparseVectorParams()})
        client.upsert("thin", [models.PointStruct(id=1, vector={"words": WORDS}, payload={"text": "x"})])
    with pytest.raises(InputError, match="has columns text, id, none with lists of numbers"):
        open_store(f"qdrant:{tmp_path / 'q'}")


def test_several_hosts_are_refused():
    with pytest.raises(InputError, match=r"qdrant:http://a:6333,b:6333 names several hosts; expected one") as refused:
        open_store("qdrant:http://me:se,cret@a:6333,b:6333#letters")
    assert "cret" not in str(refused.value)


def test_a_server_returns_what_a_folder_returns():
    client = qdrant_client.QdrantClient(":memory:")
    fill_qdrant(client)
    with Store(QdrantServer(client, "qdrant:memory", "letters")) as store:
        assert (store.describe().rows, store.describe().form) == (ROWS, "float32")
        sample = store.sample(50, np.random.default_rng(1))
        numbers = [int(each) for each in sample.ids]
        assert np.allclose(sample.vectors, VECTORS[numbers], atol=1e-6)
        assert sample.texts == [TEXTS[row] for row in numbers]


def test_an_unreachable_server_is_reported_in_seconds():
    start = monotonic()
    with pytest.raises(InputError, match=r"does not answer .*; check the address"):
        open_store("qdrant:http://127.0.0.1:9#letters")
    assert monotonic() - start < 60


class Closed(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(401)

    def log_message(self, *_):
        pass


def test_a_missing_key_is_reported_with_the_variable_to_set():
    server = HTTPServer(("127.0.0.1", 0), Closed)
    Thread(target=server.serve_forever, daemon=True).start()
    with pytest.raises(InputError, match="answered 401 Unauthorized; set its key in QDRANT_API_KEY"):
        open_store(f"qdrant:http://127.0.0.1:{server.server_port}#letters")
    server.shutdown()
    server.server_close()


def test_a_silent_server_is_reported_in_seconds(monkeypatch):
    monkeypatch.setattr("vestige.stores.qdrant.WAIT_S", 1)
    with create_server(("127.0.0.1", 0)) as silent:
        start = monotonic()
        with pytest.raises(InputError, match=r"does not answer .*; check the address"):
            open_store(f"qdrant:http://127.0.0.1:{silent.getsockname()[1]}#letters")
        assert monotonic() - start < 60


def test_a_lost_connection_is_reported(monkeypatch):
    client = qdrant_client.QdrantClient(":memory:")
    fill_qdrant(client)
    with Store(QdrantServer(client, "qdrant:memory", "letters")) as store:
        gone = qdrant_client.http.exceptions.ResponseHandlingException(ConnectionError("refused"))
        monkeypatch.setattr(client, "retrieve", Mock(side_effect=gone))
        with pytest.raises(InputError, match="does not answer"):
            store.sample(5, np.random.default_rng(0))


def test_unreadable_folders_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"gone does not exist or is not a folder; check the path"):
        open_store(f"qdrant:{tmp_path / 'gone'}#letters")
    with pytest.raises(InputError, match=r"has no meta.json; expected the folder of an embedded Qdrant"):
        open_store(f"qdrant:{tmp_path}#letters")
    (tmp_path / "meta.json").write_text('{"collections": {"letters": {"vectors": {"size": 2, "distance": "Dot"}}}')
    with pytest.raises(InputError, match="half written"):
        open_store(f"qdrant:{tmp_path}#letters")
    (tmp_path / "meta.json").write_text('{"collections": {"letters": {"vectors": {"size": 2, "distance": "Dot"}}}}')
    with pytest.raises(InputError, match="did you mean 'letters'"):
        open_store(f"qdrant:{tmp_path}#leters")
    folder = tmp_path / "collection" / "letters"
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "storage.sqlite")) as file:
        file.execute("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)")
        file.commit()
        with pytest.raises(InputError, match="#letters is empty"):
            open_store(f"qdrant:{tmp_path}#letters")
        file.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match=r"locked.*; close the program"):
            open_store(f"qdrant:{tmp_path}#letters")


NUMBERS = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"


@pytest.mark.parametrize(
    "what",
    [f"VIEW points AS {NUMBERS} SELECT id AS rowid, x'80' AS point FROM n", "VIRTUAL TABLE points USING fts5(point)"],
)
def test_points_that_are_no_table_are_refused_without_reading_them(tmp_path, what):
    with closing(qdrant_client.QdrantClient(path=str(tmp_path / "q"))) as client:
        client.create_collection("letters", vectors_config=PLAIN)
    (place,) = (tmp_path / "q").glob("collection/*/storage.sqlite")
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("DROP TABLE points")
        connection.execute(f"CREATE {what}")
        connection.commit()
    with pytest.raises(InputError, match="has no table 'points'"):
        open_store(f"qdrant:{tmp_path / 'q'}")
