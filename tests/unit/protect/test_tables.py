"""From any source to parquet or .npy, in parts."""

import json
import signal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.protect.killed_run import run_until_killed, save_fitted
from vestige.defenses.saved import load_defense
from vestige.errors import InputError
from vestige.files import sha256_of
from vestige.protect.run import protect
from vestige.stores.load import open_store, read_vectors
from vestige.stores.store import Store


@pytest.mark.parametrize("source", ["parquet"], indirect=True)
def test_other_columns_are_unchanged_and_in_order(source, tmp_path):
    out = tmp_path / "out.parquet"
    assert protect(source, out, "pca:8").others == ("id", "text", "tags")
    before, after = pq.read_table(source), pq.read_table(out)
    assert after.column_names == before.column_names
    assert after.drop(["embedding"]) == before.drop(["embedding"])
    assert after.schema.field("embedding").type == pa.list_(pa.float32(), 8)


@pytest.mark.parametrize("source", ["parquet"], indirect=True)
@pytest.mark.usefixtures("small_blocks")
def test_a_run_resumes_after_the_store_was_lost(source, tmp_path, monkeypatch):
    """Blocks and their defense stay for the next run; only unusable rows make them useless."""
    real, out = Store.read, tmp_path / "out.npy"

    def lose(self, start, *arguments, **options):
        if start:
            raise InputError("the connection is lost; try again")
        return real(self, start, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "read", lose)
        with pytest.raises(InputError, match=r"3 of 4 parts failed repeatedly .* the connection is lost") as raised:
            protect(source, out, "gaussian:50")
    assert "part 1, rows 400 to 799 of" in str(raised.value)
    first = next((tmp_path / ".out.npy.parts").glob("part-*.arrow")).read_bytes()
    saved = load_defense(next(tmp_path.glob(".out.npy.defense-*")))
    protect(source, out, "gaussian:50")
    assert first
    assert np.load(out).tobytes() == saved.transform(read_vectors(source)).tobytes()


@pytest.mark.parametrize("source", ["parquet"], indirect=True)
@pytest.mark.parametrize("damage", ["part", "record"])
@pytest.mark.usefixtures("small_blocks")
def test_damaged_parts_of_a_killed_run_are_computed_again(source, vectors, tmp_path, damage):
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    defense = save_fitted(tmp_path / "fitted", vectors, "gaussian:50")
    protect(source, whole, defense)
    assert run_until_killed(900, source, out, defense) == -signal.SIGKILL
    parts = tmp_path / ".out.parquet.parts"
    victim = parts / "part-000000.arrow" if damage == "part" else parts / "_records" / "000000.json"
    content = bytearray(victim.read_bytes())
    content[len(content) // 2] ^= 1
    victim.write_bytes(content)
    protect(source, out, defense)
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
@pytest.mark.usefixtures("small_blocks")
def test_a_folder_of_parts_is_read_as_one_table(source, vectors, tmp_path):
    defense = save_fitted(tmp_path / "fitted", vectors, "gaussian:50")
    done = protect(source, f"{tmp_path}/out/", defense)
    assert done.rows == 1500
    assert read_vectors_of(tmp_path / "out") == load_defense(tmp_path / "fitted").transform(vectors).tobytes()
    manifest = json.loads((tmp_path / "out" / "_manifest.json").read_text())
    assert manifest["rows"] == 1500
    listed = {part["name"]: part["sha256"] for part in manifest["parts"]}
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"_manifest.json", *listed}
    assert all(sha256_of(tmp_path / "out" / name) == digest for name, digest in listed.items())
    with pytest.raises(InputError, match="already complete"):
        protect(source, f"{tmp_path}/out/", defense)


@pytest.mark.usefixtures("small_blocks")
def test_a_killed_folder_resumes_and_is_no_source_before_it_is_complete(source, vectors, tmp_path):
    defense, out = save_fitted(tmp_path / "fitted", vectors, "gaussian:50"), f"{tmp_path}/out/"
    protect(source, f"{tmp_path}/whole/", defense)
    assert run_until_killed(900, source, out, defense) == -signal.SIGKILL
    with pytest.raises(InputError, match="is incomplete: a run that writes it has not finished"):
        read_vectors_of(tmp_path / "out")
    (tmp_path / "out" / ".part-000003.parquet.x.tmp").write_bytes(b"of a killed worker")
    protect(source, out, defense)
    contents = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("whole", "out")]
    assert contents[0] == contents[1]


def test_a_folder_with_other_files_is_not_touched(source, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="is not empty, and holds no unfinished run"):
        protect(source, f"{tmp_path}/out/", "rounding:2")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def read_vectors_of(folder):
    with open_store(folder) as store:
        return store.vectors().tobytes()
