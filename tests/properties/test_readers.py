"""Arbitrary bytes in any file give exactly what was written, or an InputError; never another error."""

import gzip
import json
import shutil
import sqlite3
from contextlib import nullcontext, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.campaign.formats import list_formats
from vestige.audit.canaries import read_key
from vestige.case.cache import read_cached
from vestige.case.case import Missing
from vestige.config.config_file import read_config
from vestige.defenses.saved import load_defense
from vestige.encoders.endpoint.response import parse_answer
from vestige.encoders.saved import load_saved
from vestige.engine.folders import LocalFolder
from vestige.engine.parts import read_record
from vestige.errors import InputError, VestigeError
from vestige.report.read import read_comparison, read_frontier, read_result
from vestige.stores.load import FILES, STORES, open_store
from vestige.stores.pickled_points import parse_point
from vestige.text.chat import read_chat
from vestige.text.corpora import load_corpus
from vestige.text.formats import FORMATS
from vestige.text.patterns import load_pattern
from vestige.vector_codes import parse_code
from vestige.view.runs import summarize

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FEW = settings(QUICK, max_examples=8)
CONTENT = st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
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


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
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


RECORDS = {
    "saved encoder": lambda folder: load_saved(str(folder)),
    "saved defense": load_defense,
    "canary key": lambda folder: read_key(folder / "encoder.json"),
    "audit": lambda folder: read_result(folder / "encoder.json"),
    "sweep": lambda folder: read_frontier(folder / "encoder.json"),
    "comparison": lambda folder: read_comparison(folder / "encoder.json"),
    "pattern": lambda folder: load_pattern(str(folder / "pattern.toml")),
    "chat": lambda folder: read_chat(folder / "encoder.json"),
    "code": lambda folder: parse_code((folder / "encoder.json").read_bytes(), "here"),
    "answer of an endpoint": lambda folder: parse_answer((folder / "encoder.json").read_bytes(), 2),
}


EMPTY = {"chat": (b"{}",)}
"""Content of nothing, which is no fault."""


@pytest.mark.parametrize("name", RECORDS)
@QUICK
@given(content=CONTENT | VALUES.map(lambda value: json.dumps(value).encode()), tensors=CONTENT)
def test_a_record_of_anything_is_refused(name, content, tensors, tmp_path):
    for file in ("encoder.json", "defense.json", "pattern.toml"):
        (tmp_path / file).write_bytes(content)
    for file in ("encoder.safetensors", "defense.safetensors"):
        (tmp_path / file).write_bytes(tensors)
    with pytest.raises(VestigeError) if content not in EMPTY.get(name, ()) else nullcontext():
        RECORDS[name](tmp_path)


DEEP = b"[" * 200_000 + b"]" * 200_000


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_of_deep_lists_is_refused(name, tmp_path):
    for file in ("encoder.json", "defense.json", "pattern.toml"):
        (tmp_path / file).write_bytes(DEEP)
    for file in ("encoder.safetensors", "defense.safetensors"):
        (tmp_path / file).write_bytes(b"")
    with pytest.raises(VestigeError):
        RECORDS[name](tmp_path)


KEYS = ("verdict", "findings", "gates", "subject", "chosen", "headline", "base", "new", "trials", "changes", "schema")
JSON = CONTENT | st.dictionaries(st.sampled_from(KEYS), VALUES).map(lambda value: json.dumps(value).encode())


@pytest.mark.parametrize("name", ["report.json", "frontier.json", "compare.json"])
@QUICK
@given(content=JSON)
def test_a_run_of_anything_is_listed_with_the_reason(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    assert summarize(tmp_path / name, "run").error


@pytest.mark.parametrize("name", ["report.json", "frontier.json", "compare.json"])
def test_a_run_of_deep_lists_is_listed_with_the_reason(name, tmp_path):
    (tmp_path / name).write_bytes(DEEP)
    assert summarize(tmp_path / name, "run").error


ANSWERS = st.lists(st.fixed_dictionaries({"embedding": VALUES}, optional={"index": VALUES}), min_size=2, max_size=2)


@QUICK
@given(data=ANSWERS, usage=VALUES)
def test_an_answer_of_any_values_is_read_or_refused(data, usage):
    with suppress(VestigeError):
        assert len(parse_answer(json.dumps({"data": data, "usage": usage}).encode(), 2).vectors) == 2


@QUICK
@given(content=CONTENT)
def test_a_configuration_of_anything_is_read_or_refused(content, tmp_path):
    (tmp_path / "vestige.toml").write_bytes(content)
    with suppress(VestigeError):
        read_config(tmp_path / "vestige.toml")


@QUICK
@given(content=CONTENT | VALUES.map(lambda value: json.dumps(value).encode()))
def test_a_record_of_unfinished_work_is_read_or_ignored(content, tmp_path):
    (tmp_path / "record").write_bytes(content)
    assert read_cached(Missing, tmp_path / "record") is None
    (tmp_path / "_records").mkdir(exist_ok=True)
    (tmp_path / "_records" / "000000.json").write_bytes(content)
    assert read_record(LocalFolder(tmp_path), 0, "work") is None


@QUICK
@given(content=st.binary(max_size=200))
def test_a_pickle_is_parsed_or_refused(content):
    with suppress(InputError):
        parse_point(b"\x80\x04" + content + b".", "here")


EXACT = {each.name: each for each in list_formats() if each.exact}


@cache
def write_original(name):
    """A folder with what Vestige itself wrote, and what is read from it."""
    folder = Path(mkdtemp())
    EXACT[name].write(folder)
    return folder, EXACT[name].read(folder)


@pytest.mark.parametrize("name", EXACT)
@QUICK
@given(data=st.data())
def test_a_changed_byte_gives_what_was_written_or_is_refused(name, data, tmp_path):
    folder, expected = write_original(name)
    copy = tmp_path / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    chosen = data.draw(st.sampled_from(sorted(path for path in copy.rglob("*") if path.is_file())))
    content = bytearray(chosen.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    chosen.write_bytes(content)
    with suppress(VestigeError):
        assert EXACT[name].read(copy) == expected


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
