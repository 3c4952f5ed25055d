"""A defense from a folder or a spec."""

import signal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.protect.killed_run import run_on_a_full_disk, run_until_killed, save_fitted
from vestige.defenses.saved import load_defense
from vestige.errors import InputError
from vestige.protect.run import protect
from vestige.stores.load import read_vectors


def test_a_learned_defense_is_fitted_saved_and_reused(source, vectors, tmp_path):
    out, folder = tmp_path / "out.npy", tmp_path / "out.npy.defense"
    assert protect(source, out, "gaussian:50").defense == folder
    first = out.read_bytes()
    assert np.load(out).tobytes() == load_defense(folder).transform(vectors).tobytes()
    out.unlink()
    protect(source, out, "gaussian:50")
    assert out.read_bytes() == first, "the same command gives the same bytes"
    out.unlink()
    with pytest.raises(InputError, match="holds another defense than 'gaussian:51'; name that folder"):
        protect(source, out, "gaussian:51")
    assert protect(source, tmp_path / "plain.npy", "rounding:2").defense is None
    assert not (tmp_path / "plain.npy.defense").exists()


def test_a_saved_defense_is_reused_only_for_the_vectors_it_was_fitted_on(source, vectors, tmp_path):
    out = tmp_path / "out.npy"
    protect(source, out, "int8")
    out.unlink()
    np.save(source, 10 * vectors)
    with pytest.raises(InputError, match=r"out.npy.defense was fitted on other vectors; name that folder"):
        protect(source, out, "int8")
    protect(source, out, str(tmp_path / "out.npy.defense"))


def test_a_defense_that_needs_labels_or_other_columns_is_refused(source, vectors, tmp_path):
    with pytest.raises(
        InputError,
        match=r"'leace' learns from labels as well as from vectors; let `vestige defend --defenses leace@LABEL`",
    ):
        protect(source, tmp_path / "out.npy", "leace")
    folder = save_fitted(tmp_path / "fitted", vectors[:, :16], "rotation")
    with pytest.raises(InputError, match=r"the vectors have 64 columns, and the defense in .*fitted was fitted on 16"):
        protect(source, tmp_path / "out.npy", folder)


def test_another_tenant_is_protected_from_the_same_secret(source, vectors, tmp_path):
    protect(source, tmp_path / "acme.npy", "tenant:acme")
    folder = tmp_path / "acme.npy.defense"
    protect(source, tmp_path / "other.npy", f"{folder}@other")
    protect(source, tmp_path / "queries.npy", f"{folder}@other", queries=True)
    expected = load_defense(folder).for_tenant("other").transform(vectors)
    assert np.load(tmp_path / "other.npy").tobytes() == expected.tobytes()
    assert np.load(tmp_path / "queries.npy").tobytes() == expected.tobytes()
    assert not np.array_equal(np.load(tmp_path / "acme.npy"), expected)
    plain = save_fitted(tmp_path / "fitted", vectors, "rotation")
    with pytest.raises(InputError, match=r"names a tenant, and the defense in .*fitted is 'rotation'"):
        protect(source, tmp_path / "out.npy", f"{plain}@other")


def list_names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("ending", ["npy", "parquet"])
@pytest.mark.parametrize("source", ["npy", "parquet"], indirect=True)
def test_on_a_full_disk_neither_the_output_nor_the_defense_appears(source, ending, tmp_path):
    out = tmp_path / f"out.{ending}"
    assert run_on_a_full_disk(20_000, source, out, "int8")
    assert list_names(tmp_path) == [source.name]
    assert not run_on_a_full_disk(2**40, source, out, "int8"), "positive control: there is room"
    assert list_names(tmp_path) == sorted([source.name, out.name, f"{out.name}.defense"])


@pytest.mark.usefixtures("small_blocks")
def test_a_code_without_room_for_its_file_does_not_appear(tmp_path, vectors):
    """All parts fit; the file that joins them does not."""
    source, out = tmp_path / "vectors.parquet", tmp_path / "out.npy"
    pq.write_table(pa.table({"vector": list(vectors)}), source)
    assert run_on_a_full_disk(60_000, source, out, "int8", form="compact")
    assert [name for name in list_names(tmp_path) if not name.startswith(".")] == [source.name]
    protect(source, out, "int8", form="compact")
    assert list_names(tmp_path) == ["out.npy", "out.npy.code.json", "out.npy.defense", source.name]


@pytest.mark.parametrize("ending", ["npy", "parquet"])
@pytest.mark.usefixtures("small_blocks")
def test_a_stopped_run_hides_its_defense_and_the_next_one_uses_it(source, ending, vectors, tmp_path):
    out = tmp_path / f"out.{ending}"
    assert run_until_killed(900, source, out, "gaussian:50") == -signal.SIGKILL
    (pending,) = tmp_path.glob(f".{out.name}.defense-*")
    expected = load_defense(pending).transform(vectors)
    assert [name for name in list_names(tmp_path) if not name.startswith(".")] == [source.name]
    protect(source, out, "gaussian:50")
    assert read_vectors(out).tobytes() == expected.tobytes()
    assert list_names(tmp_path) == sorted([source.name, out.name, f"{out.name}.defense"])


@pytest.mark.usefixtures("small_blocks")
def test_after_a_stopped_run_another_defense_can_be_chosen(source, vectors, tmp_path):
    out = tmp_path / "out.npy"
    run_until_killed(900, source, out, "gaussian:50")
    protect(source, out, "gaussian:60")
    assert np.load(out).tobytes() == load_defense(tmp_path / "out.npy.defense").transform(vectors).tobytes()
    assert list_names(tmp_path) == ["out.npy", "out.npy.defense", source.name]


def test_a_folder_appears_with_its_defense(source, tmp_path):
    assert run_on_a_full_disk(20_000, source, f"{tmp_path}/out/", "int8")
    assert list_names(tmp_path) == [source.name]
    protect(source, f"{tmp_path}/out/", "int8")
    assert list_names(tmp_path) == ["out", "out.defense", source.name]


def test_only_what_vestige_hid_is_removed(source, tmp_path):
    mine = [tmp_path / f".out.npy.defense-{name}" for name in ("backup", "0123456789ab.old", "0123456789abc")]
    left = tmp_path / ".out.npy.defense-0123456789ab"
    for folder in (*mine, left):
        folder.mkdir()
    protect(source, tmp_path / "out.npy", "gaussian:50")
    assert all(folder.is_dir() for folder in mine)
    assert not left.exists()
