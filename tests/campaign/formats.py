"""Every format that Vestige reads, as a small example and a reader. What it wrote itself is in `own_formats`."""

import csv
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.campaign.mutations import Format
from tests.campaign.own_formats import COLUMNS, ROWS, TEXTS, VECTORS, list_own_formats


def list_formats(*, databases: bool = True) -> list[Format]:
    """Formats of files, of what Vestige itself writes and, if wanted, the folders of databases, which take longer."""
    files = [
        Format("vectors .npy", lambda folder: np.save(folder / "v.npy", VECTORS), read_store("v.npy")),
        Format("vectors .npz", _write_npz, read_store("v.npz")),
        Format("vectors .parquet", _write_parquet, read_store("v.parquet")),
        Format("folder of parquet files", _write_dataset, _read_dataset),
        Format("vectors .arrow", _write_arrow, read_table("arrow_files:ArrowTable", "v.arrow"), isolated=True),
        Format("vectors .feather", _write_feather, read_table("arrow_files:ArrowTable", "v.feather"), isolated=True),
        Format("vectors .jsonl", _write_jsonl, read_store("v.jsonl")),
        Format("vectors .jsonl.gz", _write_gzip, read_store("v.jsonl.gz")),
        Format("vectors .csv", _write_csv, read_store("v.csv")),
        Format("vectors .h5", _write_hdf5, read_table("array_files:open_hdf5", "v.h5"), isolated=True),
        Format("compact codes", _write_codes, read_store("v.npy")),
        Format("texts .txt", lambda folder: (folder / "t.txt").write_text("\n".join(TEXTS)), read_texts("t.txt")),
        Format("texts .jsonl", _write_text_lines, read_texts("t.jsonl")),
        Format("texts .csv", _write_text_csv, read_texts("t.csv")),
        Format("texts .parquet", _write_text_parquet, read_texts("t.parquet")),
        Format("faiss flat", _write_faiss("Flat"), read_table("faiss:FaissTable", "v.faiss", None), isolated=True),
        Format("faiss IVF", _write_faiss("IVF4,Flat"), read_table("faiss:FaissTable", "v.faiss", None), isolated=True),
        Format("faiss HNSW", _write_faiss("HNSW4"), read_table("faiss:FaissTable", "v.faiss", None), isolated=True),
        Format("faiss PQ", _write_faiss("PQ4x4"), read_table("faiss:FaissTable", "v.faiss", None), isolated=True),
        Format(
            "sqlite-vec", _write_sqlite, read_table("sqlite_vec:SqliteVecTable", "v.db", "t"), isolated=True, slow=2
        ),
        Format("qdrant folder", _write_qdrant, _read_qdrant, slow=2),
        Format("qdrant point", _write_point, _read_point),
    ]
    slow = [
        Format("lancedb", _write_lance, read_table("lancedb:LanceTable", "lance", "t"), isolated=True, slow=10),
        Format("chroma", _write_chroma, read_table("chroma:ChromaTable", "chroma", "letters"), isolated=True, slow=50),
        Format("milvus", _write_milvus, read_table("milvus:MilvusTable", "t.db", "t"), isolated=True, slow=100),
    ]
    return [*files, *list_own_formats(), *(slow if databases else [])]


def read_store(name: str) -> Callable[[Path], object]:
    """Describe, sample and read all rows of a file of vectors."""

    def read(folder: Path) -> object:
        from vestige.stores.load import open_store

        with open_store(folder / name) as store:
            return _use(store)

    return read


def read_table(opener: str, *arguments: str | None) -> Callable[[Path], object]:
    """The same for a table that Vestige opens in a child process."""

    def read(folder: Path) -> object:
        from importlib import import_module

        from vestige.stores.store import Store

        module, _, name = opener.partition(":")
        where = folder / str(arguments[0])
        rest = arguments[1:]
        table = getattr(import_module(f"vestige.stores.{module}"), name)
        with Store(table(str(where), *rest) if rest else table(where)) as store:
            return _use(store)

    return read


def _use(store) -> object:
    store.describe()
    sample = store.sample_unchecked(10, np.random.default_rng(0))
    rows = sum(batch.num_rows for batch in store.batches(16, every_column=True))
    return len(sample), rows


def read_texts(name: str) -> Callable[[Path], object]:
    """Read the texts of a file, whole and in blocks."""

    def read(folder: Path) -> object:
        from vestige.text.corpora import load_corpus, stream_texts

        corpus = load_corpus(folder / name)
        assert sum(map(len, stream_texts(folder / name))) == len(corpus)
        return len(corpus)

    return read


def _table():
    import pyarrow as pa

    vectors = pa.FixedSizeListArray.from_arrays(pa.array(VECTORS.ravel()), COLUMNS)
    return pa.table({"id": range(ROWS), "vector": vectors, "text": TEXTS})


def _write_npz(folder: Path) -> None:
    np.savez_compressed(folder / "v.npz", vectors=VECTORS, id=np.arange(ROWS), text=TEXTS)


def _write_parquet(folder: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(_table(), folder / "v.parquet", row_group_size=15)


def _write_dataset(folder: Path) -> None:
    from vestige.protect.run import protect

    _write_parquet(folder.parent)
    protect(str(folder.parent / "v.parquet"), f"{folder}/d/", "rounding:3")


def _read_dataset(folder: Path) -> object:
    from vestige.stores.load import open_store

    with open_store(str(folder / "d")) as store:
        return _use(store)


def _write_arrow(folder: Path) -> None:
    import pyarrow as pa

    with pa.ipc.new_file(folder / "v.arrow", _table().schema) as file:
        file.write_table(_table(), max_chunksize=15)


def _write_feather(folder: Path) -> None:
    import pyarrow.feather

    pyarrow.feather.write_feather(_table(), folder / "v.feather")


def _lines() -> str:
    rows = zip(range(ROWS), VECTORS.tolist(), TEXTS, strict=True)
    return "".join(json.dumps({"id": row, "vector": vector, "text": text}) + "\n" for row, vector, text in rows)


def _write_jsonl(folder: Path) -> None:
    (folder / "v.jsonl").write_text(_lines())


def _write_gzip(folder: Path) -> None:
    (folder / "v.jsonl.gz").write_bytes(gzip.compress(_lines().encode()))


def _write_csv(folder: Path) -> None:
    with (folder / "v.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", *(f"v{column}" for column in range(COLUMNS)), "text"])
        writer.writerows(zip(range(ROWS), *VECTORS.T.tolist(), TEXTS, strict=True))


def _write_hdf5(folder: Path) -> None:
    import h5py

    with h5py.File(folder / "v.h5", "w") as file:
        file.create_dataset("train/vectors", data=VECTORS, chunks=(10, COLUMNS), compression="gzip")
        file["train/text"] = TEXTS


def _write_codes(folder: Path) -> None:
    from vestige.protect.run import protect

    np.save(folder.parent / "plain.npy", VECTORS)
    protect(str(folder.parent / "plain.npy"), folder / "v.npy", "int8", form="compact")


def _write_text_lines(folder: Path) -> None:
    (folder / "t.jsonl").write_text("".join(json.dumps({"text": text, "year": 1990}) + "\n" for text in TEXTS))


def _write_text_csv(folder: Path) -> None:
    (folder / "t.csv").write_text("text,year\n" + "".join(f'"{text}",1990\n' for text in TEXTS))


def _write_text_parquet(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"text": TEXTS, "year": [1990] * ROWS}), folder / "t.parquet")


def _write_faiss(factory: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        import faiss

        index = faiss.index_factory(COLUMNS, factory)
        index.train(VECTORS)
        index.add(VECTORS)
        faiss.write_index(index, str(folder / "v.faiss"))

    return write


def _write_sqlite(folder: Path) -> None:
    from tests.store_makers import sqlite_connection

    connection = sqlite_connection(folder / "v.db")
    connection.execute(f"CREATE VIRTUAL TABLE t USING vec0(id integer primary key, e float[{COLUMNS}], +text text)")
    with connection:
        rows = zip(range(ROWS), map(bytes, VECTORS), TEXTS, strict=True)
        connection.executemany("INSERT INTO t(id, e, text) VALUES (?, ?, ?)", rows)
    connection.close()


def _write_qdrant(folder: Path) -> None:
    from qdrant_client import QdrantClient, models

    client = QdrantClient(path=str(folder / "q"))
    shape = models.VectorParams(size=COLUMNS, distance=models.Distance.COSINE)
    client.create_collection("t", vectors_config=shape)
    client.upload_collection("t", VECTORS, [{"text": text, "more": {"a": [1, 2]}} for text in TEXTS], range(ROWS))
    client.close()


def _read_qdrant(folder: Path) -> object:
    from vestige.stores.load import open_store

    with open_store(f"qdrant:{folder / 'q'}") as store:
        return _use(store)


def _write_point(folder: Path) -> None:
    import pickle

    from qdrant_client.http.models import PointStruct

    point = PointStruct(id=7, vector=VECTORS[0].tolist(), payload={"text": TEXTS[0], "more": {"a": [1, None, 2.5]}})
    (folder / "point").write_bytes(pickle.dumps(point))


def _read_point(folder: Path) -> object:
    from vestige.stores.pickled_points import parse_point

    return sorted(parse_point((folder / "point").read_bytes(), "here"))


def _write_lance(folder: Path) -> None:
    import lancedb

    lancedb.connect(folder / "lance").create_table("t", _table())


def _write_chroma(folder: Path) -> None:
    import chromadb

    client = chromadb.PersistentClient(folder / "chroma")
    collection = client.create_collection("letters", embedding_function=None)
    collection.add([str(row) for row in range(ROWS)], VECTORS, documents=TEXTS)
    client.close()


def _write_milvus(folder: Path) -> None:
    import pymilvus

    client = pymilvus.MilvusClient(str(folder / "t.db"))
    client.create_collection("t", dimension=COLUMNS)
    client.insert("t", [{"id": row, "vector": VECTORS[row].tolist(), "text": TEXTS[row]} for row in range(ROWS)])
    client.close()
    os._exit(0)  # Its server keeps the process otherwise.
