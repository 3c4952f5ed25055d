"""The command `check`: output, exit codes, and that it changes nothing."""

import json
import os
import signal
import subprocess
import sys
from hashlib import sha256
from time import monotonic

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.store_makers import MAKERS, sqlite_connection
from vestige.stores.arrow_columns import as_column

TEXTS = list(dict.fromkeys(toy_corpus(200, seed=5).sentences(4, 40).texts))[:200]
VECTORS = WordSum().encode(TEXTS)


@pytest.fixture(autouse=True)
def toy_encoder(monkeypatch):
    def load(spec, *, corpus=None):
        assert corpus is None
        return {"word-sum": WordSum()}[spec]

    # First what imports the loader: whoever imports it while it is replaced would keep the other one.
    monkeypatch.setattr("vestige.preflight.run.list_public_encoders", lambda: ())
    monkeypatch.setattr("vestige.encoders.load.load_encoder", load)


@pytest.fixture
def store(tmp_path):
    """A parquet file; columns that are given replace its own."""

    def make(**columns):
        own = {"id": range(len(TEXTS)), "vector": as_column(VECTORS), "text": TEXTS}
        pq.write_table(pa.table(own | columns), tmp_path / "v.parquet")
        return tmp_path / "v.parquet"

    return make


def test_the_table_starts_with_plain_text(vestige_command, store):
    ran = vestige_command("check", store(), "--encoder", "word-sum")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "v.parquet: vectors in vector (detected); ids in id (detected); text in text (detected)"
    assert lines[2].split()[:2] == ["warning", "plaintext"]
    assert "1 warning; 10 of 11 checks passed." in lines[-1]
    assert not any(word in ran.out for word in TEXTS[0].split())


def test_json_output(vestige_command, store):
    ran = vestige_command("check", store(), "--encoder", "word-sum", "--json")
    record = json.loads(ran.out)
    assert (record["schema"], record["source"], record["rows"], record["encoder"]) == (1, "v.parquet", 200, "word-sum")
    assert {"name": "zeros", "level": "ok", "sentence": "No vector is all zeros.", "examples": []}.items() <= next(
        check for check in record["checks"] if check["name"] == "zeros"
    ).items()


def test_an_error_ends_with_1(vestige_command, store):
    broken = VECTORS.copy()
    broken[:2] = np.nan
    ran = vestige_command("check", store(vector=as_column(broken)), "--json")
    assert ran.code == 1
    assert [check["name"] for check in json.loads(ran.out)["checks"] if check["level"] == "error"] == ["finite"]


def test_texts_may_be_in_another_file_and_are_matched_by_row_or_by_id(vestige_command, tmp_path):
    np.save(tmp_path / "v.npy", VECTORS)
    (tmp_path / "t.txt").write_text("\n".join(TEXTS))
    ran = vestige_command("check", tmp_path / "v.npy", "--texts", tmp_path / "t.txt", "--encoder", "word-sum", "--json")
    assert (ran.code, {check["name"] for check in json.loads(ran.out)["checks"] if check["level"] != "ok"}) == (
        0,
        set(),
    )
    few = ("--sample", "60", "--texts", tmp_path / "t.txt", "--encoder", "word-sum")
    assert vestige_command("check", tmp_path / "v.npy", *few).code == 0
    backwards = pa.table({"key": range(199, -1, -1), "text": TEXTS[::-1]})
    pq.write_table(backwards, tmp_path / "t.parquet")
    pq.write_table(pa.table({"key": range(200), "vector": as_column(VECTORS)}), tmp_path / "v.parquet")
    ran = vestige_command("check", tmp_path / "v.parquet", "--texts", tmp_path / "t.parquet", "--encoder", "word-sum")
    assert ran.code == 0
    pq.write_table(backwards.drop(["key"]), tmp_path / "t.parquet")
    ran = vestige_command("check", tmp_path / "v.parquet", "--texts", tmp_path / "t.parquet", "--encoder", "word-sum")
    assert ran.code == 1
    assert "shuffled" in ran.out


def test_texts_that_do_not_belong_to_the_vectors_end_with_2(vestige_command, tmp_path):
    np.save(tmp_path / "v.npy", VECTORS)
    (tmp_path / "t.txt").write_text("\n".join(TEXTS[:-1]))
    ran = vestige_command("check", tmp_path / "v.npy", "--texts", tmp_path / "t.txt")
    assert ran.code == 2
    assert "has 200 rows but t.txt has 199 texts" in ran.err


def test_columns_by_name(vestige_command, store):
    path = store(other=as_column(-VECTORS), note=TEXTS, mail=[f"a{row}@example.org" for row in range(200)])
    ran = vestige_command(
        *("check", path, "--vector-column", "other", "--text-column", "note", "--id-column", "mail"),
        *("--attribute", "text", "--json"),
    )
    record = json.loads(ran.out)
    assert record["columns"] == {"vectors": ["other"], "ids": ["mail"], "texts": ["note"], "attributes": ["text"]}
    assert record["guessed"] == []
    assert {check["sentence"].split("'")[1] for check in record["checks"] if check["name"] == "plaintext"} == {
        "note",
        "text",
    }
    assert "'mail' contains e-mail addresses" in ran.out
    ran = vestige_command("check", path, "--vector-column", "vektor")
    assert ran.code == 2
    assert "did you mean 'vector'" in ran.err


def test_labels_are_not_taken_for_texts(vestige_command, tmp_path):
    table = pa.table({"vector": as_column(VECTORS), "label": ["red", "green"] * 100})
    pq.write_table(table, tmp_path / "v.parquet")
    assert vestige_command("check", tmp_path / "v.parquet", "--sample", "20").code == 0


def test_hundreds_of_payload_columns(vestige_command, store):
    start = monotonic()
    path = store(**{f"payload_{number}": [f"v{row % 7}" for row in range(200)] for number in range(400)})
    assert vestige_command("check", path).code == 0
    assert monotonic() - start < 60


def torn(path):
    np.save(path, VECTORS)
    path.write_bytes(path.read_bytes()[:-40])


def mixed(path):
    path.write_text('{"vector": [1, 2]}\n{"vector": [1, 2, 3]}\n')


def nulls(path):
    path.write_text('{"vector": [1, 2]}\n{"vector": null}\n')


def torn_gzip(path):
    path.write_bytes(b"\x1f\x8b\x08\x00garbage")


def empty_table(path):
    pq.write_table(pa.table({"vector": pa.array([], pa.list_(pa.float32(), 4))}), path)


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("v.npy", torn, "is not a plain .npy file"),
        ("v.npy", lambda path: path.write_bytes(b""), "is empty"),
        ("v.parquet", empty_table, "is empty"),
        ("v.jsonl", mixed, "vectors of 2, 3 numbers"),
        ("v.jsonl", nulls, "no vector in 1 of 2 rows"),
        ("v.jsonl.gz", torn_gzip, "cannot be read"),
        ("v.txt", lambda path: path.write_text("x"), "expected vectors in one of"),
        ("gone.npy", lambda _: None, "does not exist"),
    ],
)
def test_an_unreadable_source_ends_with_2_in_seconds_and_unchanged(vestige_command, tmp_path, name, make, message):
    make(tmp_path / name)
    before, start = contents(tmp_path), monotonic()
    ran = vestige_command("check", tmp_path / name)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert contents(tmp_path) == before
    assert monotonic() - start < 60


def test_a_locked_store_ends_with_2_in_seconds_and_unchanged(vestige_command, tmp_path):
    writer = sqlite_connection(tmp_path / "v.db")
    writer.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB)")
    writer.execute("INSERT INTO t(v) VALUES (?)", (VECTORS[0].tobytes(),))
    before, start = contents(tmp_path), monotonic()
    writer.execute("BEGIN EXCLUSIVE")  # After reading: closing a file drops the locks that this process has on it.
    ran = vestige_command("check", f"sqlite-vec:{tmp_path / 'v.db'}")
    assert ran.code == 2
    assert "is locked by another program" in ran.err
    assert contents(tmp_path) == before
    assert monotonic() - start < 60
    writer.close()


def test_a_file_without_read_permission(vestige_command, store):
    path = store()
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    assert vestige_command("check", path).code == 2


def contents(folder):
    return {path: sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


def test_a_named_audit_is_checked(store, run, tmp_path, monkeypatch):
    store()
    np.save(tmp_path / "bare.npy", VECTORS)
    (tmp_path / "vestige.toml").write_text(
        "[audit.letters]\nsource = 'v.parquet'\nencoder = 'word-sum'\ntargets = 50\n[audit.new]\ntexts = 'complaints'\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("vestige.encoders.load.check_spec", lambda _spec: None)
    code, out, err = run("check", "letters", "--json")
    assert code == 0, err
    checks = {check["name"]: check["level"] for check in json.loads(out)["checks"]}
    assert "[audit.letters]" in err
    assert checks["encoder"] == "ok"
    code, _, err = run("check", "new")
    assert (code, "vestige.toml:5: 'new' has" in err, "has no vectors: it encodes texts" in err) == (2, True, True)
    code, out, _ = run("check", "letters", "--source", "bare.npy", "--json")
    assert json.loads(out)["rows"] == len(VECTORS)


STOP = """
import os, sys, tempfile, time
from vestige.cli.entry import main
from vestige.preflight import VectorSample

def stop(store, *_):
    store.describe()
    print(len(os.listdir(tempfile.gettempdir())), flush=True)
    os.kill(os.getpid(), number)
    time.sleep(60)

number = int(sys.argv.pop())
VectorSample.from_store = stop
main()
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_check_removes_the_copy_of_the_store_and_says_how_to_go_on(tmp_path, number, code):
    pytest.importorskip("sqlite_vec")
    (tmp_path / "store").mkdir()
    (tmp_path / "scratch").mkdir()
    source = MAKERS["sqlite-vec, blobs with a write-ahead log"](tmp_path / "store").source
    ran = subprocess.run(
        [sys.executable, "-c", STOP, "check", source, str(int(number))],
        env={**os.environ, "TMPDIR": str(tmp_path / "scratch"), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "1\n", "there was a copy"
    assert ran.returncode == code
    assert ran.stderr == "stopped; the store is as it was, run the same command again\n"
    assert not list((tmp_path / "scratch").iterdir())
