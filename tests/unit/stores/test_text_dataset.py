"""The texts of many parquet files."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.store_makers import not_utf8
from vestige.errors import InputError
from vestige.stores.text_dataset import find_dataset_columns, open_text_dataset


@pytest.fixture
def folder(tmp_path):
    for number in range(3):
        rows = range(5 * number, 5 * number + 5)
        table = pa.table({"id": rows, "text": [f"text {row}" for row in rows], "note": ["one two three four"] * 5})
        pq.write_table(table, tmp_path / f"{number}.parquet")
    return str(tmp_path)


def test_texts_come_in_order(folder):
    stream = open_text_dataset(folder, None)
    assert (stream.text_column, stream.total) == ("text", 15)
    assert [text for block in stream for text in block] == [f"text {row}" for row in range(15)]


def test_other_columns_are_all_but_the_text(folder):
    stream = open_text_dataset(folder, None)
    others = find_dataset_columns(stream, None, keep_text=False, taken="vector")
    assert others.schema.names == ["id", "note"]
    assert pa.concat_tables(others)["id"].to_pylist() == list(range(15))
    assert find_dataset_columns(stream, ["id"], keep_text=True, taken="vector").schema.names == ["text", "id"]
    assert find_dataset_columns(stream, [], keep_text=False, taken="vector") is None


def test_a_wrong_column_is_named(folder):
    with pytest.raises(InputError, match="has no column 'txt'"):
        open_text_dataset(folder, "txt")
    stream = open_text_dataset(folder, "note")
    with pytest.raises(InputError, match="keep it with --keep-text"):
        find_dataset_columns(stream, ["note"], keep_text=False, taken="vector")


def test_texts_that_are_not_utf8_are_refused_by_column(tmp_path):
    pq.write_table(pa.table({"id": range(5), "text": not_utf8(5)}), tmp_path / "0.parquet")
    stream = open_text_dataset(str(tmp_path), None)
    with pytest.raises(InputError, match="column 'text' holds text that is not UTF-8"):
        list(stream)
    pq.write_table(pa.table({"text": ["a"] * 5, "note": not_utf8(5)}), tmp_path / "0.parquet")
    with pytest.raises(InputError, match="column 'note' holds text that is not UTF-8"):
        find_dataset_columns(open_text_dataset(str(tmp_path), "text"), None, keep_text=False, taken="vector")
