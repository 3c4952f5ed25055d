"""Parquet and Arrow files: what is read, and what is refused."""

import os
from contextlib import nullcontext, suppress
from multiprocessing import get_context

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.store_makers import not_utf8
from vestige.errors import InputError
from vestige.stores import arrow_files
from vestige.stores.columns import Columns
from vestige.stores.load import open_store, read_vectors


def rng():
    return np.random.default_rng(0)


def vectors(rows, dimension=4):
    return np.random.default_rng(1).normal(size=(rows, dimension)).astype(np.float32)


def test_an_arrow_file_without_columns_is_empty(tmp_path):
    with pa.ipc.new_file(tmp_path / "v.arrow", pa.schema([])):
        pass
    with pytest.raises(InputError, match=r"v.arrow is empty; expected at least one vector"):
        open_store(tmp_path / "v.arrow")


def test_a_sample_of_parquet_reads_only_the_columns_it_returns(tmp_path):
    wide = pa.table({"vector": list(vectors(100)), "ballast": [str(row).encode() * 500 for row in range(100)]})
    pq.write_table(wide, tmp_path / "v.parquet", use_dictionary=False, compression="none")
    with open_store(tmp_path / "v.parquet") as store:
        assert store.sample(10, rng()).bytes_read < 4000


def test_a_sample_over_very_many_row_groups_reads_a_few_and_is_marked_clustered(tmp_path, monkeypatch):
    monkeypatch.setattr(arrow_files, "MOST_GROUPS", 5)
    pq.write_table(
        pa.table({"id": range(4000), "vector": list(vectors(4000))}), tmp_path / "v.parquet", row_group_size=100
    )
    counts = np.zeros(40)
    with open_store(tmp_path / "v.parquet") as store:
        for seed in range(150):
            sample = store.sample(50, np.random.default_rng(seed))
            groups = np.array([int(each) // 100 for each in sample.ids])
            assert sample.clustered
            assert len(set(sample.ids)) == 50
            assert len(set(groups)) <= 5
            counts += np.bincount(groups, minlength=40)
    assert counts.min() > 40  # 187 expected a group; drawn by fives, the deviation is 42


def test_a_row_group_is_never_completely_in_memory(tmp_path):
    vectors = np.random.default_rng(0).standard_normal((40_000, 64)).astype(np.float32)
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 64)
    pq.write_table(pa.table({"vector": column}), tmp_path / "one.parquet", use_dictionary=False)
    del column
    held, pool, rows = [], pa.default_memory_pool(), 0
    before = pool.bytes_allocated()
    with open_store(tmp_path / "one.parquet") as store:
        for batch in store.batches(1000):
            rows += len(batch)
            held.append(pool.bytes_allocated() - before)
    assert rows == 40_000
    assert max(held) < vectors.nbytes / 2


@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.list_(pa.float16(), 2)])
def test_lists_of_any_float_type_become_vectors(tmp_path, kind):
    column = pa.array([[np.float16(0.5), np.float16(1)], [np.float16(2), np.float16(3)]], type=kind)
    pq.write_table(pa.table({"id": [1, 2], "embedding": column}), tmp_path / "v.parquet")
    assert read_vectors(tmp_path / "v.parquet").tolist() == [[0.5, 1], [2, 3]]


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather"])
@pytest.mark.parametrize("column", ["id", "text", "label"])
@pytest.mark.parametrize(
    "read",
    [
        lambda store: store.sample_unchecked(10, rng()),
        lambda store: store.sample_by_content(10, 0),
    ],
)
def test_columns_that_are_not_utf8_are_refused_by_name(tmp_path, ending, column, read):
    path, table = tmp_path / f"v.{ending}", pa.table({"vector": list(vectors(10)), column: not_utf8(10)})
    if ending == "parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(str(path), table.schema) as file:
            file.write_table(table)
    named = {"id": Columns(ids="id"), "text": Columns(texts="text"), "label": Columns(attributes=("label",))}
    with (
        open_store(path, named[column]) as store,
        pytest.raises(InputError, match=rf"v.{ending} column '{column}' holds text that is not UTF-8"),
    ):
        read(store)


@pytest.mark.parametrize(("find", "refused"), [(bytes.index, True), (bytes.rindex, False)])
def test_a_column_name_that_is_not_utf8_is_refused(tmp_path, find, refused):
    """In the schema. The name in the description of a row group is not used, and the rows are right."""
    path = tmp_path / "set" / "v.parquet"
    path.parent.mkdir()
    pq.write_table(pa.table({"vector": list(vectors(10)), "qqqq": range(10)}), path, store_schema=False)
    content = path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    place = footer + find(content[footer:], b"qqqq")
    path.write_bytes(content[:place] + b"q\xfe\xfeq" + content[place + 4 :])
    for source in (path, str(path.parent)):
        with (
            pytest.raises(InputError, match=r"v.parquet is not a parquet file") if refused else nullcontext(),
            open_store(source) as store,
        ):
            assert (store.sample(10, rng()).vectors == vectors(10)).all()


def test_no_changed_byte_of_a_footer_ends_the_process(tmp_path):
    """Arrow aborts if it is asked for the damaged description of a column."""
    path = tmp_path / "v.parquet"
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors(10).ravel()), 4)
    pq.write_table(pa.table({"vector": column}), path, row_group_size=5, store_schema=False)
    content = path.read_bytes()
    begin = len(content) - 8 - int.from_bytes(content[-8:-4], "little")

    def work():
        for place in range(begin, len(content) - 8):
            path.write_bytes(content[:place] + bytes([(content[place] + 1) % 256]) + content[place + 1 :])
            with suppress(InputError), open_store(path) as store:
                store.sample_unchecked(5, rng())
        os._exit(0)

    process = get_context("fork").Process(target=work)
    process.start()
    process.join()
    assert process.exitcode == 0


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_two_columns_of_one_name_are_refused(tmp_path, ending):
    table = pa.Table.from_arrays([pa.array(list(vectors(9))), *[pa.array(["a"] * 9)] * 2], ["vector", "text", "text"])
    path = tmp_path / f"v.{ending}"
    if ending == "parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    with pytest.raises(InputError, match="two columns have the name 'text'"):
        open_store(path)


@pytest.mark.skipif(int(pa.__version__.partition(".")[0]) < 20, reason="older versions cannot convert views")
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_texts_as_polars_writes_them_are_read(tmp_path, ending):
    texts = pa.array([f"letter number {row} to the bank" for row in range(90)], pa.string_view())
    notes = pa.array([[f"note {row}"] for row in range(90)], pa.large_list(pa.string_view()))
    table = pa.table({"vector": list(vectors(90)), "text": texts, "notes": notes})
    if ending == "parquet":
        pq.write_table(table, tmp_path / "v.parquet", row_group_size=40)
    else:
        with pa.ipc.new_file(tmp_path / "v.arrow", table.schema) as file:
            file.write_table(table, max_chunksize=40)
    with open_store(tmp_path / f"v.{ending}") as store:
        for sample in (store.sample(20, rng()), store.sample_by_content(20, 0)):
            assert sample.texts is not None
            rows = [int(text.split()[2]) for text in sample.texts]
            assert (sample.vectors == vectors(90)[rows]).all()
            assert sample.payload["notes"] == [[f"note {row}"] for row in rows]
