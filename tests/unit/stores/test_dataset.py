"""Many parquet files as one table."""

import json
import os
import pickle
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.engine.job import SourceChanged, Unreachable
from vestige.engine.parts import MANIFEST
from vestige.errors import InputError
from vestige.stores.arrow_columns import as_column
from vestige.stores.dataset import DatasetTable
from vestige.stores.dataset_files import is_dataset, list_files
from vestige.stores.load import open_store
from vestige.stores.source_state import check_unchanged, read_state

VECTORS = np.random.default_rng(0).normal(size=(120, 4)).astype(np.float32)


def write(path, start, stop, **more):
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.table({"id": range(start, stop), "vector": as_column(VECTORS[start:stop])} | more)
    pq.write_table(table, path, row_group_size=15)


@pytest.fixture
def folder(tmp_path):
    for number in range(4):
        write(tmp_path / "data" / f"p{number}.parquet", 30 * number, 30 * number + 30)
    (tmp_path / "data" / "_SUCCESS").write_text("")
    return tmp_path / "data"


def test_a_folder_a_glob_and_an_address_are_the_same_table(folder):
    for source in (folder, str(folder), f"{folder}/*.parquet", f"{folder.parent}/*/p?.parquet", f"file://{folder}"):
        with open_store(source) as store:
            assert store.vectors().tobytes() == VECTORS.tobytes()
            assert store.describe().rows == 120


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.parquet", ["p0", "p1", "p2", "p3"]),
        ("p[12].parquet", ["p1", "p2"]),
        ("*/*.parquet", ["deep/q"]),
        ("**/*.parquet", ["deep/er/r", "deep/q", "p0", "p1", "p2", "p3"]),
        ("deep/**/*.parquet", ["deep/er/r", "deep/q"]),
    ],
)
def test_globs_of_addresses_match_like_those_of_paths(folder, pattern, found):
    write(folder / "deep" / "q.parquet", 0, 30)
    write(folder / "deep" / "er" / "r.parquet", 0, 30)
    for source in (f"{folder}/{pattern}", f"file://{folder}/{pattern}"):
        names = [Path(each.path).relative_to(folder).with_suffix("").as_posix() for each in list_files(source)]
        assert names == found


def test_rows_are_found_across_files_and_groups(folder):
    with open_store(folder) as store:
        sample = store.sample(50, np.random.default_rng(1))
        assert (sample.vectors == VECTORS[[int(key) for key in sample.ids]]).all()


def test_it_is_cut_between_files_and_groups_and_every_range_is_read(folder):
    with open_store(folder) as store:
        ranges = store.cut(40)
        assert ranges == [(0, 30), (30, 60), (60, 90), (90, 120)], "two groups of a file, never of two files"
        assert store.cut(20)[:3] == [(0, 15), (15, 30), (30, 45)]
        for start, stop in (*ranges, (20, 70)):
            rows = pa.Table.from_batches(store.read(start, stop, 7))
            assert rows["id"].to_pylist() == list(range(start, stop))


def test_a_layout_opens_the_same_table_without_reading_a_footer(folder, monkeypatch):
    with open_store(folder) as store:
        layout = pickle.loads(pickle.dumps(store.layout))  # noqa: S301
    monkeypatch.setattr(DatasetTable, "_read_footer", None)
    with open_store(folder, layout=layout) as store:
        assert store.vectors().tobytes() == VECTORS.tobytes()
        os.utime(folder / "p2.parquet", (1, 1))
        with pytest.raises(SourceChanged, match=r"p2.parquet changed while"):
            store.check_files(60, 90)


def test_folders_of_hive_are_columns(tmp_path):
    for number, (year, tag) in enumerate([("2023", "a%20b"), ("2024", "__HIVE_DEFAULT_PARTITION__")]):
        write(tmp_path / "data" / f"year={year}" / f"tag={tag}" / "p.parquet", 30 * number, 30 * number + 30)
    with open_store(tmp_path / "data") as store:
        rows = pa.Table.from_batches(store.batches(100, every_column=True))
    assert rows["year"].to_pylist() == [2023] * 30 + [2024] * 30
    assert rows["tag"].to_pylist() == ["a b"] * 30 + [None] * 30


def test_files_that_do_not_belong_together_are_named(folder):
    write(folder / "p9.parquet", 0, 10, extra=["x"] * 10)
    with pytest.raises(InputError, match=r"p9.parquet differs from .*p0.parquet in 'extra'"):
        open_store(folder)


def test_a_file_that_is_no_parquet_is_named(folder):
    (folder / "p2.parquet").write_bytes(b"text")
    with pytest.raises(InputError, match=r"p2.parquet is not a parquet file"):
        open_store(folder)


@pytest.mark.parametrize(
    ("error", "kind"), [(OSError("reset by peer"), Unreachable), (ValueError("damaged"), InputError)]
)
def test_a_broken_connection_is_not_taken_for_a_damaged_file(folder, monkeypatch, error, kind):
    def fail(*_args, **_options):
        raise error

    with open_store(f"file://{folder}") as store:
        parts = store.cut(40)
        monkeypatch.setattr(pq.ParquetFile, "iter_batches", fail)
        with pytest.raises(InputError, match=f"p1.parquet cannot be read .{error}.; ") as raised:
            list(store.read(*parts[1], 10))
    assert type(raised.value) is kind


def test_a_source_out_of_reach_has_not_changed(folder, monkeypatch):
    """Whoever takes it for changed discards all finished parts."""
    from vestige.stores import dataset_files

    source = f"file://{folder}"
    before = read_state(source)

    class Down:
        def get_file_info(self, _wanted):
            raise OSError("When getting information: AWS Error NETWORK_CONNECTION")

    monkeypatch.setattr(dataset_files, "open_filesystem", lambda _url: (Down(), str(folder)))
    with pytest.raises(Unreachable, match="NETWORK_CONNECTION"):
        check_unchanged(source, before)


def test_a_folder_without_files_is_refused(tmp_path):
    with pytest.raises(InputError, match="has no parquet file"):
        list_files(str(tmp_path))


def test_what_is_a_dataset(folder):
    assert is_dataset(str(folder))
    assert is_dataset("s3://bucket/folder")
    assert is_dataset("data/*.parquet")
    assert not is_dataset("vectors.npy")
    assert not is_dataset("chroma:folder#texts")
    assert not is_dataset("pgvector:postgresql://user:hush@/db?host=/tmp#table"), "a query is no glob"


def test_a_file_that_changes_is_named(folder):
    state = read_state(str(folder))
    with open_store(folder) as store:
        os.utime(folder / "p2.parquet", (1, 1))
        store.check_files(0, 60)
        with pytest.raises(SourceChanged, match=r"p2.parquet changed while"):
            store.check_files(60, 90)
    with pytest.raises(SourceChanged, match=r"p2.parquet changed while"):
        check_unchanged(str(folder), state)
    (folder / "p2.parquet").unlink()
    with pytest.raises(SourceChanged, match=r"p2.parquet changed while"):
        check_unchanged(str(folder), state)


@pytest.mark.parametrize("name", ["../outside.parquet", "/etc/passwd", "a/../../outside.parquet", "p0\0.parquet"])
def test_a_manifest_cannot_name_files_outside_its_folder(folder, name):
    write(folder.parent / "outside.parquet", 0, 30)
    (folder / MANIFEST).write_text(json.dumps({"parts": [{"name": name}]}))
    with pytest.raises(InputError, match="which is not in the folder"):
        open_store(folder)


def test_a_device_in_a_folder_is_refused_and_a_folder_named_like_a_file_is_not(folder):
    (folder / "p0.parquet").rename(folder / "part")
    (folder / "p0.parquet").mkdir()
    (folder / "part").rename(folder / "p0.parquet" / "part.parquet")
    with open_store(folder) as store:
        assert store.vectors().tobytes() == VECTORS.tobytes()
    (folder / "p9.parquet").symlink_to("/dev/zero")
    with pytest.raises(InputError, match=r"p9\.parquet is a pipe or a device"):
        open_store(folder)
