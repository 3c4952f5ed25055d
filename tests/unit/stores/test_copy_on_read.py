"""Stores are read from copies where their own programs would write, and are never changed."""

import importlib.util
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest

from tests.store_makers import MAKERS
from vestige.errors import InputError
from vestige.stores import copy_on_read
from vestige.stores.copy_on_read import check_table, list_files, open_sqlite, query_sqlite
from vestige.stores.load import STORES, open_store


def rng():
    return np.random.default_rng(0)


def needs(name):
    entry = STORES[name]
    return pytest.mark.skipif(importlib.util.find_spec(entry.needs) is None, reason=f"{entry.needs} is not installed")


EMBEDDED = [pytest.param(name, marks=needs(name)) for name in ("chroma", "lancedb", "milvus", "sqlite-vec", "faiss")]


@pytest.mark.parametrize("name", EMBEDDED[:4])
def test_closing_a_store_deletes_its_copy(name, tmp_path, monkeypatch):
    (tmp_path / "store").mkdir()
    made = MAKERS["sqlite-vec, blobs with a write-ahead log" if name == "sqlite-vec" else name](tmp_path / "store")
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    with open_store(made.source) as store:
        store.sample(5, rng())
        folders = list((tmp_path / "scratch").iterdir())
        copies = [path for path in (tmp_path / "scratch").rglob("*") if path.is_file()]
        assert bool(copies) == (name != "lancedb")
        assert all(folder.stat().st_mode & 0o077 == 0 for folder in folders)
    if name == "milvus":
        from milvus_lite.server_manager import server_manager_instance

        server_manager_instance.release_all()  # as at the end of the process
    assert not list((tmp_path / "scratch").iterdir())


def test_a_copy_that_does_not_fit_on_the_disk_is_refused(tmp_path, monkeypatch):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "big").write_bytes(bytes(3_000_000))
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    monkeypatch.setattr(copy_on_read, "_clone", lambda *_: False)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10_000_000))
    wanted = r"store must be copied for reading, 3.0 MB, and .*scratch has 10.0 MB free; .*TMPDIR"
    with (
        pytest.raises(InputError, match=wanted),
        copy_on_read.copy_files(tmp_path / "store", list_files(tmp_path / "store")),
    ):
        pass
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.parametrize("shares", [True, False])
def test_writing_to_the_copy_leaves_the_store_unchanged(shares, tmp_path, monkeypatch, caplog):
    """With blocks that are shared, where the file system can, and with a plain copy."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(b"as it was" * 1000)
    if not shares:
        monkeypatch.setattr(copy_on_read, "_clone", lambda *_: False)
    monkeypatch.setattr(copy_on_read, "LARGE_BYTES", 0)
    with copy_on_read.copy_files(tmp_path, list_files(tmp_path)) as folder:
        copy = folder / "deep" / "file"
        assert copy.read_bytes() == b"as it was" * 1000
        assert not copy.samefile(tmp_path / "deep" / "file")
        copy.write_bytes(b"changed")
    assert (tmp_path / "deep" / "file").read_bytes() == b"as it was" * 1000
    assert "for reading" in caplog.text


def test_a_store_that_changes_while_it_is_copied_is_refused(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"before")
    monkeypatch.setattr(copy_on_read, "_check_space", lambda *_: (tmp_path / "file").write_bytes(b"written since"))
    with (
        pytest.raises(InputError, match="was written to while it was copied"),
        copy_on_read.copy_files(tmp_path, list_files(tmp_path)),
    ):
        pass


def test_a_query_without_end_is_interrupted(tmp_path):
    with closing(sqlite3.connect(tmp_path / "endless")) as made:
        made.execute("CREATE TABLE points (id)")
        endless = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id FROM n) SELECT id FROM n"
        made.execute(f"CREATE VIEW numbers AS {endless}")
        made.commit()
    with open_sqlite(tmp_path / "endless") as connection:
        assert query_sqlite(connection, "SELECT 1") == [(1,)]
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            query_sqlite(connection, "SELECT count(*) FROM numbers", seconds=0.2)
        with pytest.raises(InputError, match="has no table 'numbers'"):
            check_table(connection, "numbers", "it")
        check_table(connection, "points", "it")
