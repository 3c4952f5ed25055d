"""Embedded databases that cannot be read, or lie in a form of their own."""

import importlib.util
import shutil
import sys
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from tests.store_makers import MAKERS, VECTORS, sqlite_connection
from vestige.errors import InputError, MissingExtra
from vestige.stores import copies
from vestige.stores.copies import files_under
from vestige.stores.load import STORES, open_store
from vestige.stores.records import Columns
from vestige.stores.sqlite_file import MAGIC

V = np.random.default_rng(2).normal(size=(40, 8)).astype(np.float32)


def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("name", [name for name, entry in STORES if entry.strict])
def test_a_missing_client_is_named_with_the_command_that_gets_it(name, monkeypatch):
    monkeypatch.setattr("vestige.registry.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=rf"pip install 'vestige\[{name}\]'"):
        open_store(f"{name}:somewhere#x")


def test_sqlite_without_its_extension_is_told_too(monkeypatch):
    pytest.importorskip("apsw")
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)
    with pytest.raises(MissingExtra, match=r"'sqlite_vec' is not installed; .*vestige\[sqlite-vec\]"):
        open_store("sqlite-vec:somewhere#x")


def needs(name):
    entry = STORES[name]
    return pytest.mark.skipif(importlib.util.find_spec(entry.needs) is None, reason=f"{entry.needs} is not installed")


EMBEDDED = [pytest.param(name, marks=needs(name)) for name in ("chroma", "lancedb", "milvus", "sqlite-vec", "faiss")]


@pytest.mark.parametrize("name", EMBEDDED)
def test_a_place_where_nothing_is_stays_without(name, tmp_path):
    with pytest.raises(InputError, match=r"gone is not there .*; check the path"):
        open_store(f"{name}:{tmp_path / 'gone'}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("chroma", r"has no chroma.sqlite3; expected the folder of a Chroma", marks=needs("chroma")),
        pytest.param("lancedb", "has no table; expected one that holds vectors", marks=needs("lancedb")),
        pytest.param("milvus", "has no collection; expected one that holds vectors", marks=needs("milvus")),
    ],
)
def test_a_folder_of_something_else(name, message, tmp_path):
    (tmp_path / "x.db").mkdir()
    (tmp_path / "x.db" / "notes.txt").write_text("nothing")
    with pytest.raises(InputError, match=message):
        open_store(f"{name}:{tmp_path / 'x.db'}")


@pytest.mark.parametrize("name", EMBEDDED[-2:])
def test_a_file_of_something_else(name, tmp_path):
    (tmp_path / "x").write_text("nothing of the kind, and long enough")
    with pytest.raises(InputError, match=r"is not an SQLite file|is not a whole index"):
        open_store(f"{name}:{tmp_path / 'x'}")


def test_sqlite_forms_are_read_as_they_are_declared(tmp_path):
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


def test_sqlite_that_is_locked_torn_or_mixed(tmp_path):
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
    (tmp_path / "short.db").write_bytes(MAGIC + bytes(84))
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
def test_every_row_of_sqlite_is_its_own_whatever_the_key(shape, tmp_path):
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


def test_a_column_without_any_vector_is_told_as_that(tmp_path):
    connection = sqlite_connection(tmp_path / "x.db")
    connection.execute("CREATE TABLE letters (id INTEGER PRIMARY KEY, embedding BLOB, text TEXT)")
    with connection:
        connection.executemany("INSERT INTO letters VALUES (?, NULL, 'x')", [(row,) for row in range(9)])
    connection.close()
    for columns in (None, Columns(vectors="embedding")):
        with pytest.raises(InputError, match=r"has no vector in 'embedding' in any row .*; expected one in every row"):
            open_store(f"sqlite-vec:{tmp_path / 'x.db'}", columns)


def test_what_is_in_the_write_ahead_log_is_read_too_while_its_writer_lives(tmp_path):
    connection = sqlite_connection(tmp_path / "v.db")
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB)")
    for row in V:
        connection.execute("INSERT INTO t(v) VALUES (?)", (row.tobytes(),))
    assert (tmp_path / "v.db-wal").stat().st_size
    with open_store(f"sqlite-vec:{tmp_path / 'v.db'}") as store:
        assert (store.sample(99, rng()).vectors == V).all()
    connection.close()


def test_faiss_ids_and_transforms(tmp_path):
    faiss = pytest.importorskip("faiss")
    ids = np.arange(40) * 3 + 100
    for factory in ("IDMap2,Flat", "PCAR6,IVF2,Flat", "IVF2,Flat"):
        index = faiss.index_factory(8, factory)
        index.train(V)
        index.add_with_ids(V, ids)
        faiss.write_index(index, str(tmp_path / "v.faiss"))
        with open_store(f"faiss:{tmp_path / 'v.faiss'}") as store:
            sample = store.sample(99, rng())
            told = store.describe()
        assert sorted(map(int, sample.ids)) == ids.tolist()
        rows = [(int(each) - 100) // 3 for each in sample.ids]
        if factory.startswith("PCA"):
            change = faiss.downcast_VectorTransform(index.chain.at(0))
            assert np.allclose(sample.vectors, change.reverse_transform(change.apply(V[rows])), atol=1e-5)
            assert told.form == "float32 after PCAMatrix"
        else:
            assert (sample.vectors == V[rows]).all()
    with pytest.raises(InputError, match="leave out what follows the #"):
        open_store(f"faiss:{tmp_path / 'v.faiss'}#x")
    (tmp_path / "cut.faiss").write_bytes((tmp_path / "v.faiss").read_bytes()[:300])
    with pytest.raises(InputError, match="not a whole index"):
        open_store(f"faiss:{tmp_path / 'cut.faiss'}")


def test_chroma_collections_by_their_names(tmp_path):
    client = pytest.importorskip("chromadb").PersistentClient(tmp_path / "c")
    for name in ("letters", "notes"):
        client.create_collection(name, embedding_function=None)
    client.get_collection("notes", embedding_function=None).add([f"n{row}" for row in range(40)], V)
    client.close()
    with pytest.raises(InputError, match=r"has 2 collections \(letters, notes\); name one"):
        open_store(f"chroma:{tmp_path / 'c'}")
    with pytest.raises(InputError, match="no collection 'leters'; did you mean 'letters'"):
        open_store(f"chroma:{tmp_path / 'c'}#leters")
    with pytest.raises(InputError, match="#letters is empty"):
        open_store(f"chroma:{tmp_path / 'c'}#letters")
    with open_store(f"chroma:{tmp_path / 'c'}#notes") as store:
        sample = store.sample(3, rng())
        assert (sample.vectors == V[[int(each[1:]) for each in sample.ids]]).all()


@pytest.mark.parametrize("name", EMBEDDED[:4])
def test_no_copy_is_left_when_a_store_is_closed(name, tmp_path, monkeypatch):
    (tmp_path / "store").mkdir()
    made = MAKERS["sqlite-vec, blobs with a write-ahead log" if name == "sqlite-vec" else name](tmp_path / "store")
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    with open_store(made.source) as store:
        store.sample(5, rng())
        copies = list((tmp_path / "scratch").iterdir())
        assert len(copies) == (name != "lancedb")
        assert all(copy.stat().st_mode & 0o077 == 0 for copy in copies)
    if name == "milvus":
        from milvus_lite.server_manager import server_manager_instance

        server_manager_instance.release_all()  # as at the end of the process
    assert not list((tmp_path / "scratch").iterdir())


def test_texts_elsewhere_are_found_by_id_whatever_the_order_of_the_store(tmp_path):
    """Rows added in another order, or written again, lie elsewhere in the store; their ids are still theirs."""
    chromadb = pytest.importorskip("chromadb")
    order = np.random.default_rng(0).permutation(40).tolist()
    client = chromadb.PersistentClient(str(tmp_path / "c"))
    client.create_collection("letters").add(ids=[str(row) for row in order], embeddings=VECTORS[order].tolist())
    client.close()
    with open_store(f"chroma:{tmp_path / 'c'}") as store:
        sample = store.sample(40, np.random.default_rng(0))
    assert (sample.vectors == VECTORS[sample.numbers]).all()


def test_a_text_in_the_metadata_of_chroma_stays_a_text_where_there_are_no_documents(tmp_path):
    chromadb = pytest.importorskip("chromadb")
    client = chromadb.PersistentClient(str(tmp_path / "c"))
    told = [{"text": f"a letter about loan {row}", "id": f"mail {row}"} for row in range(4)]
    client.create_collection("letters").add(
        ids=list("abcd"), embeddings=VECTORS[:4].tolist(), metadatas=told, documents=None
    )
    client.close()
    with open_store(f"chroma:{tmp_path / 'c'}") as store:
        sample = store.sample(4, np.random.default_rng(0))
    assert sample.texts == [each["text"] for each in told]
    assert sample.attributes["metadata id"] == [each["id"] for each in told]


def test_columns_that_begin_late_are_found(tmp_path):
    chromadb = pytest.importorskip("chromadb")
    client = chromadb.PersistentClient(str(tmp_path / "c"))
    told = [{"product": "loan"} | ({"email": f"{row}@mail.org"} if row >= 300 else {}) for row in range(400)]
    client.create_collection("letters").add(
        ids=[str(row) for row in range(400)], embeddings=VECTORS[:400].tolist(), metadatas=told
    )
    client.close()
    with open_store(f"chroma:{tmp_path / 'c'}") as store:
        assert "email" in store.describe().columns.attributes


@pytest.mark.parametrize("source", ["chroma:http://localhost:8000#x", "lancedb:s3://bucket#x", "milvus:http://here#x"])
def test_servers_of_embedded_stores_are_told_apart(source):
    with pytest.raises(InputError, match="is the address of a server"):
        open_store(source)


@pytest.mark.parametrize("kind", ["chroma", "milvus", "qdrant"])
@pytest.mark.parametrize("where", ["ftp://me:secret@here:80", "http://me:se/cret@here:80", "http://me:80secret@"])
def test_an_address_that_is_refused_shows_no_password(kind, where):
    pytest.importorskip({"chroma": "chromadb", "milvus": "milvus_lite", "qdrant": "qdrant_client"}[kind])
    if kind == "qdrant" and where.endswith("@"):
        pytest.skip("asks a server")
    with pytest.raises(InputError, match="address of") as refused:
        open_store(f"{kind}:{where}#letters")
    assert "cret" not in str(refused.value)


def test_faiss_says_why_a_file_is_no_index(tmp_path):
    pytest.importorskip("faiss")
    (tmp_path / "x.faiss").write_text("this is no index")
    with pytest.raises(InputError, match=r'\(Index type 0x\w+ \("this"\) not recognized\); write it again'):
        open_store(f"faiss:{tmp_path / 'x.faiss'}")


def test_faiss_says_that_a_file_is_missing_before_it_minds_a_name(tmp_path):
    faiss = pytest.importorskip("faiss")
    with pytest.raises(InputError, match=r"gone.faiss is not there .*; check the path"):
        open_store(f"faiss:{tmp_path / 'gone.faiss'}#name")
    faiss.write_index(faiss.IndexFlatL2(8), str(tmp_path / "x.faiss"))
    with pytest.raises(InputError, match="has no 'name' in it; leave out what follows the #"):
        open_store(f"faiss:{tmp_path / 'x.faiss'}#name")


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
def test_doubles_in_blobs_are_told_from_single_precision(name, tmp_path):
    rows = (DOUBLES | SINGLES)[name]
    connection = sqlite_connection(tmp_path / "v.db")
    connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB)")
    for row in rows:
        connection.execute("INSERT INTO t(v) VALUES (?)", (row.tobytes(),))
    connection.close()
    with open_store(f"sqlite-vec:{tmp_path / 'v.db'}") as store:
        assert store.describe().form == ("float64" if name in DOUBLES else "float32")
        assert (store.look(40, rng()).vectors == rows.astype(np.float32)).all()


def test_a_type_that_says_float64_is_believed_and_noise_is_refused(tmp_path):
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


def test_a_copy_without_room_for_it_is_refused_before_it_is_made(tmp_path, monkeypatch):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "big").write_bytes(bytes(3_000_000))
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    monkeypatch.setattr(copies, "_cloned", lambda *_: False)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10_000_000))
    wanted = r"store has to be copied to be read, 3.0 MB, and .*scratch has 10.0 MB free; .*TMPDIR"
    with (
        pytest.raises(InputError, match=wanted),
        copies.copied(tmp_path / "store", files_under(tmp_path / "store")),
    ):
        pass
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.parametrize("shares", [True, False])
def test_a_copy_that_is_written_to_leaves_the_store_as_it_was(shares, tmp_path, monkeypatch, caplog):
    """With blocks that are shared, where the file system can, and with a plain copy."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(b"as it was" * 1000)
    if not shares:
        monkeypatch.setattr(copies, "_cloned", lambda *_: False)
    monkeypatch.setattr(copies, "WORTH_A_WORD", 0)
    with copies.copied(tmp_path, files_under(tmp_path)) as folder:
        copy = folder / "deep" / "file"
        assert copy.read_bytes() == b"as it was" * 1000
        assert not copy.samefile(tmp_path / "deep" / "file")
        copy.write_bytes(b"changed")
    assert (tmp_path / "deep" / "file").read_bytes() == b"as it was" * 1000
    assert "is copied to be read" in caplog.text


def lance_of(folder):
    return MAKERS["lancedb"](folder)


def milvus_log_of(folder):
    return MAKERS["milvus"](folder)


def milvus_of(folder):
    """With its rows in a file, and none in the log."""
    made = MAKERS["milvus"](folder)
    client = pytest.importorskip("pymilvus").MilvusClient(str(folder / "letters.db"))
    client.flush("letters")
    client.close()
    return made


HALF_WRITTEN = [
    (lance_of, "*.manifest", "cannot be opened"),
    (lance_of, "data/*.lance", "cannot be read"),
    (milvus_log_of, "wal/*.arrow", r"is half written \(wal_data"),
    (milvus_log_of, "schema.json", r"cannot be read \(schema file 'letters.db"),
    (milvus_of, "manifest.json", "cannot be read"),
    (milvus_of, "*.parquet", "cannot be read"),
]


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    @cache
    def make(maker):
        folder = tmp_path_factory.mktemp("whole")
        return maker(folder), folder

    return make


@pytest.mark.parametrize(("maker", "file", "message"), HALF_WRITTEN)
def test_a_store_that_is_half_written_is_refused_and_left_as_it_is(maker, file, message, made_once, tmp_path, capfd):
    made, whole = made_once(maker)
    shutil.copytree(whole, tmp_path / "cut")
    (cut,) = (tmp_path / "cut").rglob(file)
    cut.write_bytes(cut.read_bytes()[: cut.stat().st_size // 2])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    capfd.readouterr()
    with (
        pytest.raises(InputError, match=message) as told,
        open_store(made.source.replace(str(whole), str(tmp_path / "cut"))) as store,
    ):
        store.sample(5, rng())
    assert "vestige-" not in str(told.value)
    assert "Traceback" not in capfd.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
