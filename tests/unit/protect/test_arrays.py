"""From .npy to .npy in blocks."""

import numpy as np
import pytest

from tests.unit.protect.killed_run import run_until_killed, save_fitted
from vestige.defenses.saved import load_defense
from vestige.engine.local_engine import LocalEngine
from vestige.errors import InputError
from vestige.protect import arrays
from vestige.protect.run import protect
from vestige.protect.treatment import Treatment

SPECS = ["rounding:2", "rotation", "pca:16", "gaussian:50"]


@pytest.mark.parametrize("spec", SPECS)
def test_several_cores_write_the_same_bytes_as_one(source, spec, vectors, tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "BLOCK_BYTES", 1)
    monkeypatch.setattr(arrays, "PART_BYTES", 1)
    engine = LocalEngine(workers=3)
    protect(source, tmp_path / "out.npy", save_fitted(tmp_path / "fitted", vectors, spec), engine=engine)
    expected = load_defense(tmp_path / "fitted").transform(vectors)
    assert np.load(tmp_path / "out.npy").tobytes() == expected.tobytes()


def test_a_system_without_posix_fadvise_writes_the_same_bytes(source, vectors, tmp_path, monkeypatch):
    monkeypatch.delattr("os.posix_fadvise")
    protect(source, tmp_path / "out.npy", save_fitted(tmp_path / "fitted", vectors, "rotation"))
    expected = load_defense(tmp_path / "fitted").transform(vectors)
    assert np.load(tmp_path / "out.npy").tobytes() == expected.tobytes()


@pytest.mark.parametrize("damage", [b"", b"{}", b"[]", b'{"work": 1, "rows": "many"}', "digest", "bytes", "short"])
@pytest.mark.usefixtures("small_blocks")
def test_damaged_parts_of_a_killed_run_are_computed_again(source, vectors, tmp_path, damage):
    out, defense = tmp_path / "out.npy", save_fitted(tmp_path / "fitted", vectors, "gaussian:50")
    run_until_killed(900, source, out, defense)
    parts = tmp_path / ".out.npy.parts"
    record, whole = sorted((parts / "_records").glob("0*.json"))[1], parts / "whole"
    if isinstance(damage, bytes):
        record.write_bytes(damage)
    elif damage == "digest":
        record.write_text(record.read_text().replace('"sha256": "', '"sha256": "0'))
    elif damage == "short":
        whole.write_bytes(b"short")
    else:
        content = bytearray(whole.read_bytes())
        content[4096 + 300 * 256] ^= 1
        whole.write_bytes(content)
    protect(source, out, defense)
    assert np.load(out).tobytes() == load_defense(tmp_path / "fitted").transform(vectors).tobytes()


@pytest.mark.usefixtures("small_blocks")
def test_a_source_that_changes_is_named_and_nothing_remains(source, vectors, tmp_path, monkeypatch):
    real, calls = Treatment.apply, []

    def change(self, rows, start):
        calls.append(start)
        if len(calls) == 3:
            np.save(source, vectors[::-1])
        return real(self, rows, start)

    monkeypatch.setattr(Treatment, "apply", change)
    with pytest.raises(InputError, match=r"vectors.npy changed while .* was read"):
        protect(source, tmp_path / "out.npy", "rotation")
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


@pytest.mark.usefixtures("small_blocks")
def test_parts_that_a_kill_at_the_very_end_left_are_removed(source, tmp_path):
    out, parts = tmp_path / "out.npy", tmp_path / ".out.npy.parts"
    protect(source, out, "rounding:2")
    parts.mkdir()
    (parts / "whole").write_bytes(b"left over")
    with pytest.raises(InputError, match="already exists"):
        protect(source, out, "rounding:2")
    assert not parts.exists()


def test_a_full_disk_is_reported_before_the_work(source, tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(InputError, match=r"has 0 MiB free; name another place"):
        protect(source, tmp_path / "out.npy", "rounding:2")
    assert [path.name for path in tmp_path.iterdir()] == [source.name]
