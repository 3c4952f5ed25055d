"""Codes and queries through `protect`: written, resumed, and read back as the numbers that they stand for."""

import signal

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.unit.protect.killed_run import run_until_killed, save_fitted
from vestige.defenses.saved import load_defense
from vestige.errors import InputError
from vestige.protect.run import protect
from vestige.stores.load import open_store, read_vectors

compact = pytest.mark.parametrize("spec", ["binary", "int8", "int8:ranges=all,quantile=0.99"])


@compact
@pytest.mark.parametrize("ending", ["npy", "parquet"])
@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
@pytest.mark.usefixtures("small_blocks")
def test_codes_are_read_back_as_the_defended_vectors(source, ending, spec, vectors, tmp_path):
    out, fitted = tmp_path / f"out.{ending}", save_fitted(tmp_path / "fitted", vectors, spec)
    done = protect(source, out, fitted, form="compact")
    defense = load_defense(fitted)
    expected, codes = defense.transform(vectors), defense.transform_compact(vectors)
    assert read_vectors(out).tobytes() == expected.tobytes()
    assert (done.rows, done.columns) == expected.shape
    stored = np.load(out) if ending == "npy" else np.stack(pq.read_table(out)[_vector_name(source)].to_numpy())
    assert stored.tobytes() == codes.tobytes()
    with open_store(out) as store:
        description = store.describe()
    assert (description.dimension, description.form) == (64, "binary" if spec == "binary" else "int8")


def _vector_name(source):
    return "vectors" if source.suffix == ".npy" else "embedding"


@compact
@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
@pytest.mark.usefixtures("small_blocks")
def test_a_file_of_codes_is_defended_as_its_numbers_are(source, spec, vectors, tmp_path):
    fitted = save_fitted(tmp_path / "fitted", vectors, spec)
    codes, numbers = tmp_path / f"codes{source.suffix}", tmp_path / f"numbers{source.suffix}"
    protect(source, codes, fitted, form="compact")
    protect(source, numbers, fitted)
    for path in (codes, numbers):
        protect(path, path.with_name(f"{path.stem}-out.npy"), "rounding:1")
    assert np.load(tmp_path / "codes-out.npy").tobytes() == np.load(tmp_path / "numbers-out.npy").tobytes()


@pytest.mark.parametrize("ending", ["npy", "parquet"])
@pytest.mark.usefixtures("small_blocks")
def test_a_killed_run_of_floats_is_not_resumed_as_codes(source, ending, vectors, tmp_path):
    out, fitted = tmp_path / f"out.{ending}", save_fitted(tmp_path / "fitted", vectors, "int8")
    assert run_until_killed(900, source, out, fitted) == -signal.SIGKILL
    protect(source, out, fitted, form="compact")
    assert read_vectors(out).tobytes() == load_defense(fitted).transform(vectors).tobytes()


@pytest.mark.usefixtures("small_blocks")
def test_queries_are_written_without_noise(source, vectors, tmp_path):
    fitted = save_fitted(tmp_path / "fitted", vectors, "gaussian:50")
    protect(source, tmp_path / "queries.npy", fitted, queries=True)
    defense = load_defense(fitted)
    assert np.load(tmp_path / "queries.npy").tobytes() == defense.transform_queries(vectors).tobytes()
    assert not np.array_equal(np.load(tmp_path / "queries.npy"), defense.transform(vectors))


def test_a_description_of_other_vectors_is_noticed(source, vectors, tmp_path):
    protect(source, tmp_path / "out.npy", "binary", form="compact")
    (tmp_path / "out.npy").unlink()
    with pytest.raises(InputError, match=r"out.npy.code.json exists and would describe out.npy wrongly"):
        protect(source, tmp_path / "out.npy", "binary")
    with pytest.raises(InputError, match=r"out.npy.code.json describes other vectors"):
        protect(source, tmp_path / "out.npy", save_fitted(tmp_path / "fitted", vectors, "int8"), form="compact")
    np.save(tmp_path / "out.npy", vectors)
    with pytest.raises(
        InputError, match="holds 64 numbers of float32 per vector; its code 'bits' describes 8 of uint8"
    ):
        read_vectors(tmp_path / "out.npy")
