"""The columns besides the text, with their types, in order and in blocks."""

import gzip
import json
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.errors import InputError
from vestige.text.corpora import stream_texts
from vestige.text.other_columns import find_other_columns

ROWS = 25


@pytest.fixture
def table():
    return pa.table(
        {
            "id": pa.array(range(ROWS), pa.int32()),
            "text": [f"The bank took {row} dollars." for row in range(ROWS)],
            "sent": [date(2024, 1, 1 + row) for row in range(ROWS)],
            "tags": [["a", str(row)] for row in range(ROWS)],
            "label": pa.array(["yes", "no", None, "yes", "no"] * 5).dictionary_encode(),
        }
    )


def read(path, named=None, *, keep_text=False, block=10):
    found = find_other_columns(stream_texts(path, block=block), named, keep_text=keep_text, taken="vector")
    return None if found is None else pa.concat_tables(found)


@pytest.mark.parametrize("ending", ["parquet", "parquet.gz"])
def test_columns_of_a_parquet_file_keep_their_types_and_order(table, tmp_path, ending):
    path = tmp_path / f"texts.{ending}"
    pq.write_table(table, tmp_path / "texts.parquet", row_group_size=7)
    if ending.endswith(".gz"):
        path.write_bytes(gzip.compress((tmp_path / "texts.parquet").read_bytes()))
    assert read(path).equals(table.drop(["text"]))
    assert read(path, ["label", "id"]).equals(table.select(["label", "id"]))
    assert read(path, keep_text=True).equals(table)
    assert read(path, ["id"], keep_text=True).equals(table.select(["text", "id"]))
    assert read(path, []) is None


def test_values_of_a_csv_file_stay_strings(tmp_path):
    (tmp_path / "texts.csv").write_text("id,text,score\n007,The bank.,1.5\n008,Another fee.,\n")
    assert read(tmp_path / "texts.csv").to_pydict() == {"id": ["007", "008"], "score": ["1.5", ""]}


def test_types_of_a_jsonl_file_are_those_of_all_rows(tmp_path):
    rows = [
        {"text": "one", "id": 1, "score": 1, "mixed": 1, "late": None, "odd": {"a": 1}},
        {"text": "two", "id": 2, "score": 2.5, "mixed": "x", "late": None, "odd": {"a": 2}},
        {"text": "three", "id": 3, "score": None, "mixed": [1], "late": True, "odd": {"b": 2}},
    ]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    kept = read(path, block=1)
    assert kept.schema.field("id").type == pa.int64()
    assert kept["score"].to_pylist() == [1.0, 2.5, None]
    assert kept["mixed"].to_pylist() == ["1", "x", "[1]"]
    assert kept["late"].to_pylist() == [None, None, True]
    assert kept["odd"].to_pylist() == [{"a": 1, "b": None}, {"a": 2, "b": None}, {"a": None, "b": 2}]


def test_a_text_file_has_no_other_columns(tmp_path):
    (tmp_path / "texts.txt").write_text("one\ntwo\n")
    assert read(tmp_path / "texts.txt") is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("lable", "has no column 'lable' \\(--columns\\); did you mean 'label'"),
        ("text", "is the text column of .*; keep it with --keep-text"),
        ("vector", "is the name of the new vectors"),
    ],
)
def test_columns_that_cannot_be_kept_are_refused(table, tmp_path, name, message):
    path = tmp_path / "texts.parquet"
    pq.write_table(table.append_column("vector", [[0] * ROWS]), path)
    with pytest.raises(InputError, match=message):
        read(path, [name])
    assert "vector" not in read(path).column_names


def test_another_column_of_prose_is_named(tmp_path):
    (tmp_path / "texts.csv").write_text(
        "id,text,summary\n" + "".join(f"{r},t {r},Paid {r} dollars in fees\n" for r in range(9))
    )
    assert find_other_columns(stream_texts(tmp_path / "texts.csv"), None, keep_text=False, taken="vector").prose == (
        "summary",
    )
