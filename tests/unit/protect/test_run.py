"""From vectors to defended vectors: the same bytes, however the run went."""

import os
import signal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.protect.killed_run import run_until_killed, save_fitted
from vestige.defenses.catalogue import make_defense
from vestige.defenses.defense import Defense
from vestige.defenses.saved import load_defense
from vestige.errors import InputError
from vestige.protect.run import protect
from vestige.stores.load import read_vectors

SPECS = ["rounding:2", "rotation", "pca:16", "gaussian:50"]


@pytest.mark.parametrize("ending", ["npy", "parquet"])
@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.usefixtures("small_blocks")
def test_the_output_is_the_transform_of_the_input(source, ending, spec, vectors, tmp_path):
    out = tmp_path / f"out.{ending}"
    defense = save_fitted(tmp_path / "fitted", vectors, spec)
    done = protect(source, out, defense)
    expected = load_defense(tmp_path / "fitted").transform(vectors)
    assert read_vectors(out).tobytes() == expected.tobytes()
    assert (done.rows, done.columns) == expected.shape
    assert out.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["fitted", out.name, source.name])


@pytest.mark.parametrize("ending", ["npy", "parquet"])
@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
@pytest.mark.parametrize("spec", ["rounding:2", "rotation", "gaussian:50"])
@pytest.mark.usefixtures("small_blocks")
def test_a_killed_run_resumes_and_writes_the_same_bytes(source, ending, spec, vectors, tmp_path, monkeypatch):
    whole, out = tmp_path / f"whole.{ending}", tmp_path / f"out.{ending}"
    defense = save_fitted(tmp_path / "fitted", vectors, spec)
    protect(source, whole, defense)
    assert run_until_killed(900, source, out, defense) == -signal.SIGKILL
    assert not out.exists()
    assert (tmp_path / f".{out.name}.parts").is_dir()
    real, starts = Defense.transform, []
    monkeypatch.setattr(
        Defense, "transform", lambda self, rows, *, start=0: starts.append(start) or real(self, rows, start=start)
    )
    protect(source, out, defense)
    assert min(start for start in starts if start) >= 700, "rows before the checkpoint were defended again"
    assert out.read_bytes() == whole.read_bytes()
    assert not (tmp_path / f".{out.name}.parts").exists()


@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
@pytest.mark.usefixtures("small_blocks")
def test_nothing_is_reused_from_another_defense_or_other_vectors(source, vectors, tmp_path):
    out = tmp_path / "out.npy"
    for spec in ("rounding:1", "rounding:2"):
        save_fitted(tmp_path / spec[-1], vectors, spec)
    run_until_killed(900, source, out, str(tmp_path / "1"))
    protect(source, out, str(tmp_path / "2"))
    assert read_vectors(out).tobytes() == load_defense(tmp_path / "2").transform(vectors).tobytes()
    out.unlink()
    run_until_killed(900, source, out, str(tmp_path / "1"))
    other = vectors[::-1]
    np.save(source, other) if source.suffix == ".npy" else pq.write_table(pa.table({"vector": list(other)}), source)
    os.utime(source, (1, 1))
    protect(source, out, str(tmp_path / "1"))
    assert read_vectors(out).tobytes() == load_defense(tmp_path / "1").transform(other).tobytes()


@pytest.mark.parametrize("kind", [np.float16, np.float64, ">f4", np.int8])
def test_numbers_of_any_type_and_order_become_float32(kind, vectors, tmp_path):
    for name, order in (("rows", "C"), ("columns", "F")):
        rows = np.asarray(vectors * 50, kind, order=order)
        np.save(tmp_path / f"{name}.npy", rows)
        protect(tmp_path / f"{name}.npy", tmp_path / f"{name}-out.npy", "rounding:1")
        expected = make_defense("rounding:1").fit(rows).transform(rows)
        assert np.load(tmp_path / f"{name}-out.npy").tobytes() == expected.tobytes()


@pytest.mark.usefixtures("small_blocks")
def test_an_unusable_row_is_reported_by_its_number_in_the_file(source, vectors, tmp_path):
    broken = vectors.copy()
    broken[1234, 5] = np.nan
    np.save(source, broken)
    for spec in ("rounding:2", "gaussian:50"):
        defense = save_fitted(tmp_path / spec, vectors, spec)
        with pytest.raises(InputError, match=r"vectors.npy: .* hold NaN or infinity, the first in row 1234"):
            protect(source, tmp_path / "out.npy", defense)
    with pytest.raises(InputError, match="NaN or infinite values in 1 of 1500 rows read, first in row 1234"):
        protect(source, tmp_path / "out.npy", "gaussian:50")
    with pytest.raises(InputError, match=r"NaN or infinite values in 1 of .* rows read, first in row 1234"):
        protect(source, tmp_path / "out.parquet", defense)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gaussian:50", "rounding:2", source.name]


def test_zeros_and_equal_rows_are_protected_unless_the_defense_cannot(source, vectors, tmp_path):
    """No encoder produces such vectors. Only a mechanism on directions refuses zeros, which have none."""
    odd = np.ones_like(vectors)
    odd[7] = 0
    np.save(source, odd)
    protect(source, tmp_path / "out.npy", "gaussian:50")
    with pytest.raises(InputError, match=r"vectors.npy: the vector in row 7 is all zeros"):
        protect(source, tmp_path / "other.npy", "vmf:50")
    assert not list(tmp_path.glob("*other*")), "parts or a defense remain"


def test_a_single_row_in_column_order_is_read(tmp_path, vectors):
    path = tmp_path / "one.npy"
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": True, "shape": (1, 64)})
        file.write(vectors[:1].tobytes())
    protect(path, tmp_path / "out.npy", "rounding:2")
    assert np.load(tmp_path / "out.npy").tolist() == np.round(vectors[:1], 2).tolist()
