"""Arbitrary bytes in a file of vectors or texts give exactly what was written, or an InputError."""

import gzip
import json
import shutil
import sqlite3
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.properties.contents import CONTENT, FEW, QUICK, VALUES
from vestige.errors import VestigeError
from vestige.stores.load import FILES, STORES, open_store
from vestige.text.corpora import load_corpus
from vestige.text.formats import FORMATS

MAGIC = {
    ".npy": b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', ",
    ".npz": b"PK\x03\x04\x14\x00",
    ".parquet": b"PAR1",
    ".arrow": b"ARROW1\x00\x00",
    ".feather": b"ARROW1\x00\x00",
    ".h5": b"\x89HDF\r\n\x1a\n",
    ".hdf5": b"\x89HDF\r\n\x1a\n",
    ".jsonl": b'{"vector": [1, 2',
    ".csv": b"id,v0,v1\n1,",
    ".jsonl.gz": b"\x1f\x8b\x08",
    ".csv.gz": b"\x1f\x8b\x08",
    "faiss": b"IxFI\x08\x00\x00\x00",
    "sqlite-vec": b"SQLite format 3\x00",
    "milvus": b"SQLite format 3\x00",
}
FOLDERS = {
    "chroma": ("chroma.sqlite3",),
    "lancedb": ("t.lance/_versions/1.manifest", "t.lance/data/0.lance"),
    "qdrant": ("meta.json", "collection/t/storage.sqlite"),
    "dataset": ("0.parquet", "_manifest.json"),
}
"""The files of stores that are folders."""


def use(store):
    with store:
        store.sample_unchecked(3, np.random.default_rng(0))
        list(store.batches(8, every_column=True))


def test_every_format_has_a_test():
    assert {*FILES, *STORES.entries} <= {*MAGIC, *FOLDERS, "pgvector"}, "pgvector is a server"
    assert set(FORMATS) == {".txt", ".jsonl", ".csv", ".parquet"}


@pytest.mark.parametrize("kind", MAGIC)
@QUICK
@given(content=CONTENT, known=st.booleans())
def test_a_file_of_anything_is_read_or_refused(kind, content, known, tmp_path):
    path = tmp_path / f"file{kind if kind.startswith('.') else ''}"
    path.write_bytes(MAGIC[kind] + content if known else content)
    with suppress(VestigeError):
        use(open_store(path if kind.startswith(".") else f"{kind}:{path}#t"))


@pytest.mark.parametrize("kind", FOLDERS)
@FEW
@given(contents=st.lists(CONTENT, min_size=2, max_size=2), known=st.booleans())
def test_a_folder_of_anything_is_read_or_refused(kind, contents, known, tmp_path):
    magic = b"SQLite format 3\x00" if known else b""
    for name, content in zip(FOLDERS[kind], contents, strict=False):
        (tmp_path / kind / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / kind / name).write_bytes(content if name.endswith(".json") else magic + content)
    with suppress(VestigeError):
        use(open_store(str(tmp_path / kind) if kind == "dataset" else f"{kind}:{tmp_path / kind}#t"))


BLOBS = st.binary(max_size=20) | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5) | st.none() | st.floats()


@FEW
@given(meta=VALUES, rows=st.lists(st.tuples(BLOBS, BLOBS), max_size=4))
def test_a_qdrant_folder_of_any_values_is_read_or_refused(meta, rows, tmp_path):
    place = tmp_path / "q"
    shutil.rmtree(place, ignore_errors=True)
    (place / "collection" / "t").mkdir(parents=True)
    (place / "meta.json").write_text(json.dumps({"collections": {"t": {"vectors": meta}}, "aliases": {}}))
    connection = sqlite3.connect(place / "collection" / "t" / "storage.sqlite")
    connection.execute("CREATE TABLE points (id TEXT, point BLOB)")
    connection.executemany("INSERT INTO points VALUES (?, ?)", rows)
    connection.commit()
    connection.close()
    with suppress(VestigeError):
        use(open_store(f"qdrant:{place}#t"))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("ending", FORMATS)
@QUICK
@given(content=CONTENT)
def test_a_file_of_texts_is_read_or_refused(ending, packed, content, tmp_path):
    path = tmp_path / f"texts{ending}{'.gz' if packed else ''}"
    path.write_bytes(gzip.compress(content) if packed else content)
    with suppress(VestigeError):
        load_corpus(path)


FINITE = st.floats(-1e6, 1e6, width=32)
TABLES = arrays(np.float32, st.tuples(st.integers(1, 20), st.integers(1, 5)), elements=FINITE)
NAMES = {"faiss": "faiss:", "sqlite-vec": "sqlite-vec:"}


@pytest.mark.parametrize("kind", [kind for kind in MAGIC if kind != "milvus"])
@QUICK
@given(vectors=TABLES)
def test_what_was_written_comes_back(kind, vectors, tmp_path):
    path = tmp_path / f"file{kind if kind.startswith('.') else ''}"
    path.unlink(missing_ok=True)
    write(path, kind, vectors)
    with open_store(f"{NAMES.get(kind, '')}{path}") as store:
        assert np.array_equal(store.vectors(), vectors)


def write(path, kind, vectors):
    if kind in (".parquet", ".arrow", ".feather"):
        write_columns(path, vectors)
    elif kind.startswith((".jsonl", ".csv")):
        write_lines(path, vectors)
    elif kind in (".npy", ".npz"):
        np.save(path, vectors) if kind == ".npy" else np.savez_compressed(path, vectors=vectors)
    else:
        write_native(path, kind, vectors)


def write_columns(path, vectors):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"vector": vectors.tolist()})
    if path.suffix == ".parquet":
        pq.write_table(table, path)
        return
    with pa.ipc.new_file(str(path), table.schema) as file:
        file.write_table(table)


def write_lines(path, vectors):
    if ".jsonl" in path.name:
        content = "".join(json.dumps({"vector": row}) + "\n" for row in vectors.tolist())
    else:
        content = "vector\n" + "".join(f'"{json.dumps(row)}"\n' for row in vectors.tolist())
    path.write_bytes(gzip.compress(content.encode()) if path.suffix == ".gz" else content.encode())


def write_native(path, kind, vectors):
    if kind == "faiss":
        import faiss

        index = faiss.IndexFlatL2(vectors.shape[1])
        index.add(vectors)
        faiss.write_index(index, str(path))
    elif kind == "sqlite-vec":
        from tests.store_makers import sqlite_connection

        connection = sqlite_connection(path)
        connection.execute(f"CREATE VIRTUAL TABLE t USING vec0(id integer primary key, e float[{vectors.shape[1]}])")
        with connection:
            connection.executemany("INSERT INTO t(id, e) VALUES (?, ?)", enumerate(map(bytes, vectors)))
        connection.close()
    else:
        import h5py

        with h5py.File(path, "w") as file:
            file["vectors"] = vectors


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=30)
TEXTS = st.lists(TEXT.filter(lambda text: text.strip() == text), min_size=1, max_size=8)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("ending", FORMATS)
@QUICK
@given(texts=TEXTS)
def test_texts_that_were_written_come_back(ending, packed, texts, tmp_path):
    path = tmp_path / f"texts{ending}"
    write_texts(path, texts)
    if packed:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path = path.with_name(f"{path.name}.gz")
    assert load_corpus(path, None if ending == ".txt" else "text").texts == texts


def write_texts(path, texts):
    import csv

    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix == ".txt":
        path.write_text("\n".join(texts), encoding="utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    elif path.suffix == ".parquet":
        pq.write_table(pa.table({"text": texts}), path)
    else:
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["text", "more"], *([text, "1"] for text in texts)])
