"""Vectors in SQLite: declared and detected encodings, keys, and files that cannot be read."""

import sys

import numpy as np
import pytest

from tests.store_makers import sqlite_connection
from vestige.errors import InputError, MissingExtra
from vestige.stores.columns import Columns
from vestige.stores.copy_on_read import SQLITE_MAGIC
from vestige.stores.load import open_store
from vestige.stores.sqlite_vec import SqliteVecTable

V = np.random.default_rng(2).normal(size=(40, 8)).astype(np.float32)


def rng():
    return np.random.default_rng(0)


def test_a_missing_extension_is_reported_with_the_command_to_install_it(monkeypatch):
    pytest.importorskip("apsw")
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)
    with pytest.raises(MissingExtra, match=r"'sqlite_vec' is not installed; .*\[sqlite-vec\]"):
        SqliteVecTable("somewhere", "x")


def test_declared_types_are_decoded(tmp_path):
    connection = sqlite_connection(tmp_path / "v.db")
    connection.execute("CREATE VIRTUAL TABLE t USING vec0(small int8[8], code bit[8])")
    for row in (np.arange(-4, 4, dtype=np.int8), np.arange(8, dtype=np.int8)):
        connection.execute("INSERT INTO t(small, code) VALUES (vec_int8(?), vec_bit(?))", (row.tobytes(), b"\x05"))
    shown = next(iter(connection.execute("SELECT vec_to_json(code) FROM t")))[0]
    connection.close()
    with pytest.raises(InputError, match="has vectors in small, code; name the column"):
        open_store(f"sqlite-vec:{tmp_path / 'v.db'}")
    with open_store(f"sqlite-vec:{tmp_path / 'v.db'}", Columns(vectors="small")) as store:
        assert store.describe().form == "int8"
        assert store.describe().guessed == ("table", "ids")
        assert store.sample(2, rng()).vectors.tolist() == [list(range(-4, 4)), list(range(8))]
    with open_store(f"sqlite-vec:{tmp_path / 'v.db'}", Columns(vectors="code")) as store:
        assert store.describe().form == "binary"
        batch = next(store.batches(2))
        assert batch["code"].to_pylist()[0] == [1, 0, 1, 0, 0, 0, 0, 0]
        assert str(list(map(int, batch["code"].to_pylist()[0]))).replace(" ", "") == shown


def test_locked_truncated_and_mixed_files_are_refused(tmp_path):
    connection = sqlite_connection(tmp_path / "v.db")
    connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB)")
    source = f"sqlite-vec:{tmp_path / 'v.db'}"
    with pytest.raises(InputError, match="#t is empty"):
        open_store(source)
    with pytest.raises(InputError, match="has no table 'u'; known: t"):
        open_store(f"{source}#u")
    for blob in (V[0].tobytes(), V[0, :4].tobytes()):
        connection.execute("INSERT INTO t(v) VALUES (?)", (blob,))
    with open_store(source) as store, pytest.raises(InputError, match="vectors of 4, 8 numbers"):
        store.sample(2, rng())
    connection.execute("UPDATE t SET v = NULL WHERE id = 2")
    with open_store(source) as store, pytest.raises(InputError, match="no vector in 1 of 2 rows"):
        store.sample(2, rng())
    connection.execute("UPDATE t SET v = x'010203' WHERE id = 2")
    with pytest.raises(InputError, match="a blob of 3 bytes; expected float32"):
        open_store(source)
    connection.execute("BEGIN EXCLUSIVE")
    with pytest.raises(InputError, match="is locked by another program"):
        open_store(source)
    connection.close()
    (tmp_path / "torn.db").write_bytes((tmp_path / "v.db").read_bytes()[:5000])
    with pytest.raises(InputError, match="has 5000 of its 8192 bytes"):
        open_store(f"sqlite-vec:{tmp_path / 'torn.db'}#t")
    (tmp_path / "short.db").write_bytes(SQLITE_MAGIC + bytes(84))
    (tmp_path / "short.db-journal").write_bytes(b"rows to put back")
    with pytest.raises(InputError, match="is half written"):
        open_store(f"sqlite-vec:{tmp_path / 'short.db'}")


@pytest.mark.parametrize(
    "shape",
    [
        "(a TEXT, b TEXT, embedding BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID",
        "(a TEXT, b TEXT, embedding BLOB, PRIMARY KEY (a, b))",
        "(a TEXT PRIMARY KEY, b TEXT, embedding BLOB)",
        "(a TEXT PRIMARY KEY, b TEXT, embedding BLOB) WITHOUT ROWID",
    ],
)
def test_every_row_is_found_once_for_any_primary_key(shape, tmp_path):
    connection = sqlite_connection(tmp_path / "x.db")
    connection.execute(f"CREATE TABLE letters {shape}")
    rows = [(f"a{row % 7 if '(a, b)' in shape else row}", f"b{row}", V[row].tobytes()) for row in range(len(V))]
    if "PRIMARY KEY," in shape and "WITHOUT" not in shape:
        rows[5], rows[6] = (None, *rows[5][1:]), (None, *rows[6][1:])  # SQLite lets a key of text be missing
    with connection:
        connection.executemany("INSERT INTO letters VALUES (?, ?, ?)", rows)
    connection.close()
    with open_store(f"sqlite-vec:{tmp_path / 'x.db'}", Columns(texts="b")) as store:
        sample = store.sample(len(V), rng())
    numbers = [int(text[1:]) for text in sample.texts]
    assert sorted(numbers) == list(range(len(V)))
    assert np.array_equal(sample.vectors, V[numbers])


def test_a_column_without_any_vector_is_refused(tmp_path):
    connection = sqlite_connection(tmp_path / "x.db")
    connection.execute("CREATE TABLE letters (id INTEGER PRIMARY KEY, embedding BLOB, text TEXT)")
    with connection:
        connection.executemany("INSERT INTO letters VALUES (?, NULL, 'x')", [(row,) for row in range(9)])
    connection.close()
    for columns in (None, Columns(vectors="embedding")):
        with pytest.raises(InputError, match=r"has no vector in 'embedding' in any row .*; expected one in every row"):
            open_store(f"sqlite-vec:{tmp_path / 'x.db'}", columns)


def test_the_write_ahead_log_of_an_open_database_is_read(tmp_path):
    connection = sqlite_connection(tmp_path / "v.db")
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB)")
    for row in V:
        connection.execute("INSERT INTO t(v) VALUES (?)", (row.tobytes(),))
    assert (tmp_path / "v.db-wal").stat().st_size
    with open_store(f"sqlite-vec:{tmp_path / 'v.db'}") as store:
        assert (store.sample(99, rng()).vectors == V).all()
    connection.close()


WIDE = np.random.default_rng(4).normal(size=(40, 8)) / 10


DOUBLES = {
    "doubles": WIDE,
    "doubles that were single once": WIDE.astype(np.float32).astype(np.float64),
    "counts as doubles": np.random.default_rng(4).poisson(1.0, size=(40, 8)).astype(np.float64) + np.eye(40, 8),
}


SINGLES = {
    "single": WIDE.astype(np.float32),
    "counts": np.random.default_rng(4).poisson(0.3, size=(40, 8)).astype(np.float32) + np.eye(40, 8, dtype=np.float32),
    "at unit length": (V / np.linalg.norm(V, axis=1, keepdims=True)).astype(np.float32),
}


@pytest.mark.parametrize("name", [*DOUBLES, *SINGLES])
def test_double_precision_is_detected_in_undeclared_blobs(name, tmp_path):
    rows = (DOUBLES | SINGLES)[name]
    connection = sqlite_connection(tmp_path / "v.db")
    connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB)")
    for row in rows:
        connection.execute("INSERT INTO t(v) VALUES (?)", (row.tobytes(),))
    connection.close()
    with open_store(f"sqlite-vec:{tmp_path / 'v.db'}") as store:
        assert store.describe().form == ("float64" if name in DOUBLES else "float32")
        assert (store.sample_unchecked(40, rng()).vectors == rows.astype(np.float32)).all()


def test_a_declared_double_is_trusted_and_ambiguous_blobs_are_refused(tmp_path):
    connection = sqlite_connection(tmp_path / "v.db")
    connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v F64_BLOB(8))")
    connection.execute("CREATE TABLE u(id INTEGER PRIMARY KEY, v BLOB)")
    unsure = WIDE.astype(np.float32)
    unsure[:4, 0::2] = 1e-20
    for row, other in zip(WIDE, unsure, strict=True):
        connection.execute("INSERT INTO t(v) VALUES (?)", (row.tobytes(),))
        connection.execute("INSERT INTO u(v) VALUES (?)", (other.tobytes(),))
    connection.close()
    with open_store(f"sqlite-vec:{tmp_path / 'v.db'}#t") as store:
        assert store.describe().form == "float64"
        assert (store.sample(40, rng()).vectors == WIDE.astype(np.float32)).all()
    with pytest.raises(InputError, match=r"#u column 'v' holds blobs that may be float32 or float64.*export"):
        open_store(f"sqlite-vec:{tmp_path / 'v.db'}#u")
