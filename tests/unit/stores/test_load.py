"""Opening files and stores by name, and refusing what cannot be opened."""

import importlib.util
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import vestige
from tests.store_makers import ROWS, VECTORS, records
from tests.toy_store import ToyTable, plugged
from vestige.case.settings import Settings
from vestige.cli.check import check
from vestige.errors import InputError, MissingExtra
from vestige.stores.isolated import IsolatedTable
from vestige.stores.load import FILES, ISOLATED, STORES, open_file, open_store, read_vectors


@pytest.mark.parametrize("name", [name for name, entry in STORES if entry.needs and entry.strict])
def test_a_missing_client_is_reported_with_the_command_to_install_it(name, monkeypatch):
    monkeypatch.setattr("vestige.registry.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=rf"pip install '(\.|vestige)\[{name}\]'"):
        open_store(f"{name}:somewhere#x")


def needs(name):
    entry = STORES[name]
    return pytest.mark.skipif(importlib.util.find_spec(entry.needs) is None, reason=f"{entry.needs} is not installed")


EMBEDDED = [pytest.param(name, marks=needs(name)) for name in ("chroma", "lancedb", "milvus", "sqlite-vec", "faiss")]


@pytest.mark.parametrize("name", EMBEDDED)
def test_a_path_that_does_not_exist_is_not_created(name, tmp_path):
    with pytest.raises(InputError, match=r"gone does not exist .*; check the path"):
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
def test_a_folder_without_the_store_is_refused(name, message, tmp_path):
    (tmp_path / "x.db").mkdir()
    (tmp_path / "x.db" / "notes.txt").write_text("nothing")
    with pytest.raises(InputError, match=message):
        open_store(f"{name}:{tmp_path / 'x.db'}")


@pytest.mark.parametrize("name", EMBEDDED[-2:])
def test_a_file_of_another_format_is_refused(name, tmp_path):
    (tmp_path / "x").write_text("nothing of the kind, and long enough")
    with pytest.raises(InputError, match=r"is not an SQLite file|is not a complete index"):
        open_store(f"{name}:{tmp_path / 'x'}")


@pytest.mark.parametrize("source", ["chroma:http://localhost:8000#x", "lancedb:s3://bucket#x", "milvus:http://here#x"])
def test_a_server_address_of_an_embedded_store_is_refused(source):
    pytest.importorskip(STORES[source.partition(":")[0]].needs)
    with pytest.raises(InputError, match="is the address of a server"):
        open_store(source)


@pytest.mark.parametrize("kind", ["chroma", "milvus", "qdrant"])
@pytest.mark.parametrize("where", ["ftp://me:secret@here:80", "http://me:se/cret@here:80", "http://me:80secret@"])
def test_a_refused_address_is_shown_without_its_password(kind, where):
    pytest.importorskip({"chroma": "chromadb", "milvus": "milvus_lite", "qdrant": "qdrant_client"}[kind])
    if kind == "qdrant" and where.endswith("@"):
        pytest.skip("asks a server")
    with pytest.raises(InputError, match="address of") as refused:
        open_store(f"{kind}:{where}#letters")
    assert "cret" not in str(refused.value)


def rng():
    return np.random.default_rng(0)


def vectors(rows, dimension=4):
    return np.random.default_rng(1).normal(size=(rows, dimension)).astype(np.float32)


def write_mixed(path):
    path.write_text('{"vector": [1, 2]}\n{"vector": [1, 2, 3]}\n')


def write_missing(path):
    path.write_text('{"vector": [1, 2]}\n{"vector": null}\n')


def write_two_types(path):
    path.write_text('{"vector": [1, 2]}\n{"vector": "soon"}\n')


def save_pickled_npz(path):
    np.savez(path, vectors=np.ones((2, 2)), id=np.array([{}, {}], dtype=object))


def save_uneven_npz(path):
    np.savez(path, vectors=np.ones((2, 2)), id=np.arange(3))


def write_truncated_parquet(path):
    pq.write_table(pa.table({"vector": list(vectors(9))}), path)
    path.write_bytes(path.read_bytes()[:-20])


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("mixed.jsonl", write_mixed, "vectors of 2, 3 numbers; expected lists of one length"),
        ("missing.jsonl", write_missing, "no vector in 1 of 2 rows read, first in row 1"),
        ("kinds.jsonl", write_two_types, "column 'vector' mixes types of values"),
        ("broken.jsonl", lambda p: p.write_text('{"vector": [1, 2]}\n{"vec'), "line 2 is not JSON"),
        ("list.jsonl", lambda p: p.write_text("[1, 2]\n"), "line 1 holds a list"),
        ("repr.csv", lambda p: p.write_text("id,vector\n1,[0.1 0.2]\n"), r"holds '\[0.1 0.2\]'; expected a list"),
        ("hole.csv", lambda p: p.write_text("v0,v1\n1,2\n1,\n"), "no vector in 1 of 2 rows"),
        ("none.csv", lambda p: p.write_text("id,text\n1,a\n"), "columns id, text, none with lists of numbers"),
        ("pickled.npz", save_pickled_npz, "holds no plain arrays"),
        ("uneven.npz", save_uneven_npz, "arrays of different lengths"),
        ("torn.parquet", write_truncated_parquet, "is not a parquet file"),
        ("junk.arrow", lambda p: p.write_bytes(b"ARROW1" * 9), "is not a complete Arrow file"),
        ("v.npy", lambda p: p.with_suffix(".npz").write_bytes(b"") or p.write_bytes(b"PK"), "not a plain .npy"),
    ],
)
def test_unreadable_files_are_refused_with_the_reason(tmp_path, name, make, message):
    make(tmp_path / name)
    with pytest.raises(InputError, match=message), open_store(tmp_path / name) as store:
        store.sample(9, rng())


def test_an_unknown_kind_lists_the_known_ones():
    with pytest.raises(InputError, match="name a file by its path alone: 'letters'"):
        open_store("parquet:letters")
    with pytest.raises(InputError, match="unknown store 'fais'"):
        open_store("fais:index.faiss")


def save_nan(tmp_path):
    values = np.zeros((4, 2), np.float32)
    values[2, 1] = np.nan
    np.save(tmp_path / "nan.npy", values)


def save_pickled_npy(tmp_path):
    np.save(tmp_path / "pickle.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)


def save_uneven_parquet(tmp_path):
    pq.write_table(pa.table({"vector": [[1.0], [1.0, 2.0]]}), tmp_path / "uneven.parquet")


def save_no_vectors(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "columns.parquet")


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("gone.npy", lambda _: None, "gone.npy does not exist"),
        ("gone", lambda _: None, "gone does not exist; check the path"),
        ("v.bin", lambda p: (p / "v.bin").touch(), r"ends in '.bin'; expected vectors in one of .npy, .parquet"),
        ("empty.npy", lambda p: (p / "empty.npy").touch(), "empty.npy is empty"),
        ("junk.npy", lambda p: (p / "junk.npy").write_bytes(b"junk"), "not a plain .npy"),
        (
            "junk.npz",
            lambda p: (p / "junk.npz").write_bytes(b"junk"),
            "holds no plain arrays .* save it with numpy.savez",
        ),
        ("nan.npy", save_nan, "NaN or infinite values in 1 of 4 rows, first in row 2"),
        ("inf.npy", lambda p: np.save(p / "inf.npy", [[np.inf]]), "NaN or infinite"),
        ("flat.npy", lambda p: np.save(p / "flat.npy", np.zeros(3)), r"has shape \(3,\)"),
        (
            "none.npy",
            lambda p: np.save(p / "none.npy", np.zeros((0, 3))),
            r"has shape \(0, 3\) and is empty; expected at least one vector",
        ),
        ("words.npy", lambda p: np.save(p / "words.npy", [["a"]]), "expected numbers"),
        ("pickle.npy", save_pickled_npy, "not a plain .npy"),
        ("same.npy", lambda p: np.save(p / "same.npy", np.ones((5, 2))), "has 5 equal rows"),
        (
            "zero.npy",
            lambda p: np.save(p / "zero.npy", np.eye(3)[:, :2]),
            "nothing but zeros in 1 of 3 rows, first in row 2",
        ),
        ("huge.npy", lambda p: np.save(p / "huge.npy", [[1e30, 1.0]]), "values beyond 1e"),
        ("folder.npy", lambda p: (p / "folder.npy").mkdir(), "folder.npy is a folder"),
        ("uneven.parquet", save_uneven_parquet, "expected lists of one length"),
        ("columns.parquet", save_no_vectors, "expected one of vector, embedding"),
    ],
)
def test_unusable_vectors_are_refused_with_the_reason(tmp_path, name, make, message):
    make(tmp_path)
    with pytest.raises(InputError, match=message):
        read_vectors(tmp_path / name)


TOY = {"toy": "tests.toy_store:ToyTable", "toys": "tests.toy_store:open_toy_server"}


@pytest.fixture
def shelf():
    ToyTable.shelves["shelf"] = {"letters": records()}


@pytest.mark.usefixtures("shelf")
def test_a_plugin_is_listed_and_opened_by_its_kind():
    with plugged(**TOY):
        assert STORES["toy"].summary == "toy:SHELF#COLLECTION, lists of records in memory."
        with open_store("toy:shelf#letters") as store:
            assert store.describe().place == "toy:shelf#letters"
            assert (store.sample(ROWS, rng()).vectors == VECTORS).all()
        with pytest.raises(InputError, match="toy:gone does not exist"):
            open_store("toy:gone")
    with pytest.raises(InputError, match="unknown store 'toy'"):
        open_store("toy:shelf#letters")


@pytest.mark.usefixtures("shelf")
def test_a_plugin_declares_whether_it_accepts_servers():
    with plugged(**TOY):
        with open_store("toys:http://shelf#letters") as store:
            assert store.describe().rows == ROWS
        with pytest.raises(InputError, match="'toy:http://shelf' is the address of a server"):
            open_store("toy:http://me:secret@shelf#letters")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no.such.module:Table", "ModuleNotFoundError"),
        ("tests.toy_store:Unfinished", "Unfinished does not implement take"),
        ("builtins:dict", "dict is not a subclass of vestige.stores.table.VectorTable"),
        ("sys:path", "a list cannot be called"),
        ("os.path:exists", r"it cannot be called as open\(where, name\)"),
    ],
)
def test_a_broken_plugin_is_reported_by_name_and_skipped(value, reason, caplog):
    with plugged(broken=value, **TOY):
        assert "toy" in STORES
        assert "broken" not in STORES
        assert "store plugin 'broken' is skipped" in caplog.text
        with pytest.raises(InputError, match=f"store 'broken' is a plugin that cannot be used: .*{reason}"):
            open_store("broken:somewhere")


def test_a_plugin_that_does_not_open_a_table_is_named():
    with plugged(nothing="tests.toy_store:open_nothing", unset="tests.toy_store:Unset"):
        with pytest.raises(InputError, match=r"store 'nothing' of package .* opened a list; expected a VectorTable"):
            open_store("nothing:here")
        with pytest.raises(InputError, match=r"store 'unset' .* without place, rows, schema"):
            open_store("unset:here")


@pytest.mark.usefixtures("shelf")
def test_check_and_audit_run_on_a_plugin(capsys, monkeypatch):
    monkeypatch.setattr("vestige.preflight.run.list_public_encoders", tuple)
    settings = Settings(targets=200, pairs=1000, probes=("attributes",), attributes=("label",), labels=10)
    with plugged(**TOY):
        check(source="toy:shelf#letters", sample=500)
        assert "toy:shelf#letters" in capsys.readouterr().out
        result = vestige.audit("toy:shelf#letters", settings=settings)
    assert [finding.probe for finding in result.findings] == ["attributes"]
    assert result.subject.stored.rows == ROWS


IN_PROCESS = {".npy", ".npz", ".parquet", ".csv", ".jsonl", "pgvector"}
"""Parsed by Python, by numpy or by pyarrow's reader of parquet; mutations of each are part of the campaign."""


def test_every_format_is_read_in_a_child_process_or_known_to_be_safe_without():
    own = {name for name, entry in STORES if entry.origin == "vestige"}
    assert {*FILES, *own} == ISOLATED | IN_PROCESS
    assert not ISOLATED & IN_PROCESS


@pytest.mark.parametrize("ending", sorted(kind for kind in ISOLATED if kind.startswith(".")))
def test_a_native_file_is_opened_in_a_child_process(ending, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(IsolatedTable, "__init__", lambda _self, *arguments: opened.append(arguments))
    monkeypatch.setattr(IsolatedTable, "close", lambda _self: None)
    (tmp_path / f"v{ending}").write_bytes(b"x")
    assert isinstance(open_file(tmp_path / f"v{ending}"), IsolatedTable)
    assert opened == [(f"{tmp_path}/v{ending}", FILES[ending].place, (f"{tmp_path}/v{ending}",))]


def test_the_folder_of_a_store_is_opened_in_a_child_process_and_a_server_is_not(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(IsolatedTable, "__init__", lambda _self, *arguments: opened.append(arguments))
    monkeypatch.setattr(IsolatedTable, "close", lambda _self: None)
    for kind in sorted(kind for kind in ISOLATED if not kind.startswith(".")):
        with suppress(AttributeError):  # The table was not opened, so it has no columns.
            open_store(f"{kind}:{tmp_path}")
        assert opened.pop() == (f"{kind}:{tmp_path}", STORES[kind].place, (str(tmp_path), None))
    with pytest.raises(InputError, match=r"answer|not installed"):
        open_store("qdrant:http://127.0.0.1:1#x")
    assert not opened
