import csv
import gzip
import json
import tracemalloc
from itertools import chain

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vestige.errors import InputError
from vestige.text.named import load_corpus
from vestige.text.stream import stream_texts

AWKWARD = [
    "a",
    "é",
    "😀",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x85",
    "\u2028",
    "\ufeff",
    '"',
    ",",
    ";",
]
texts = st.lists(st.lists(st.sampled_from(AWKWARD), max_size=6).map("".join), min_size=1, max_size=9)
blocks = st.integers(1, 5)
property_of_files = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def write_txt(path, rows):
    path.write_bytes("\n".join(row["text"] or "" for row in rows).encode())


def write_jsonl(path, rows):
    path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\r\n" for row in rows).encode())


def write_csv(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["id", "text"], quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)


def write_parquet(path, rows):
    schema = pa.schema({"id": pa.int64(), "text": pa.string()})
    pq.write_table(pa.Table.from_pylist(rows, schema), path, row_group_size=3)


WRITERS = {".txt": write_txt, ".jsonl": write_jsonl, ".csv": write_csv, ".parquet": write_parquet}
ENDINGS = [ending + gz for ending in WRITERS for gz in ("", ".gz")]


def write(path, rows):
    WRITERS[path.suffixes[0]](path, rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(path.read_bytes()))


def outcome(read):
    try:
        return list(read())
    except InputError as error:
        return str(error)


def same_as_the_corpus(path, block, text_column=None):
    streamed = outcome(lambda: chain.from_iterable(stream_texts(path, text_column, block=block)))
    return streamed == outcome(lambda: load_corpus(path, text_column).texts)


@pytest.mark.parametrize("ending", ENDINGS)
@property_of_files
@given(texts=texts, block=blocks)
def test_the_texts_are_those_of_the_corpus(tmp_path, ending, texts, block):
    path = tmp_path / f"set{ending}"
    write(path, [{"id": row, "text": text} for row, text in enumerate(texts)])
    assert same_as_the_corpus(path, block)


value = st.sampled_from([None, "", "a", "b c", 7, 1.5, True, [1], {"k": "v"}])
json_rows = st.lists(
    st.dictionaries(st.sampled_from(["text", "body", "id", "chunk"]), value, max_size=3), min_size=1, max_size=9
)


@property_of_files
@given(rows=json_rows, block=blocks, column=st.sampled_from([None, "text", "id", "bodies"]))
def test_columns_that_come_and_go_are_chosen_as_in_the_corpus(tmp_path, rows, block, column):
    path = tmp_path / "set.jsonl"
    write_jsonl(path, rows)
    assert same_as_the_corpus(path, block, column)


@property_of_files
@given(content=st.lists(st.sampled_from(AWKWARD), max_size=30).map("".join), ending=st.sampled_from(sorted(WRITERS)))
def test_whatever_a_file_holds_it_is_read_or_refused_as_the_corpus_is(tmp_path, content, ending):
    path = tmp_path / f"set{ending}"
    path.write_bytes(content.encode())
    assert same_as_the_corpus(path, 2)


@pytest.mark.parametrize("ending", ENDINGS)
def test_blocks_come_in_order_as_often_as_they_are_asked_for(tmp_path, ending):
    path = tmp_path / f"set{ending}"
    write(path, [{"id": row, "text": f"text {row}"} for row in range(7)])
    stream = stream_texts(path, block=3)
    assert (stream.name, stream.text_column, stream.total, stream.block) == (path.name, "text", 7, 3)
    assert list(stream) == list(stream)
    assert list(chain.from_iterable(stream)) == [f"text {row}" for row in range(7)]
    assert max(map(len, stream)) == 3


def test_a_csv_that_ends_its_lines_in_carriage_returns_is_read(tmp_path):
    path = tmp_path / "set.csv"
    path.write_bytes(b'text\r"a\rb"\rc\r')
    assert list(stream_texts(path)) == [["a\rb", "c"]]


def test_a_text_column_whose_first_string_comes_late_is_still_the_text(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"body": "a"}\n' * 50 + '{"body": "b", "text": "late"}\n', encoding="utf-8")
    stream = stream_texts(path, block=8)
    assert stream.text_column == "text"
    assert list(chain.from_iterable(stream)) == [""] * 50 + ["late"]


def test_a_corpus_by_name_is_streamed(tmp_path, monkeypatch):
    pq.write_table(pa.table({"id": ["7"], "first": ["A pair."], "text": ["Not this."]}), tmp_path / "msrp.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    stream = stream_texts("msrp")
    assert (stream.name, list(stream)) == ("msrp", [["A pair."]])
    assert list(chain.from_iterable(stream_texts("complaints"))) == load_corpus("complaints").texts
    with pytest.raises(InputError, match="did you mean 'complaints'"):
        stream_texts("complaint")


def peak(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("ending", "count"), [(".txt", 200_000), (".jsonl.gz", 20_000), (".csv", 20_000)])
def test_memory_is_bounded_by_a_block(tmp_path, ending, count):
    path = tmp_path / f"set{ending}"
    write(path, [{"id": row, "text": f"{row} " + "word " * 20} for row in range(count)])
    size = count * 100
    assert peak(lambda: load_corpus(path)) > size
    assert peak(lambda: sum(map(len, stream_texts(path, block=count // 100)))) < size / 4


def test_neither_a_row_group_nor_a_file_of_parquet_is_held_whole(tmp_path):
    path = tmp_path / "set.parquet"
    table = pa.table({"text": [f"{row} " + "word " * 20 for row in range(200_000)]})
    pq.write_table(table, path, row_group_size=100_000, compression="none")
    before = pa.total_allocated_bytes()
    held = max(pa.total_allocated_bytes() - before for _ in stream_texts(path, block=1000))
    assert held < path.stat().st_size / 4


def test_what_is_wrong_on_the_last_line_is_said_before_the_first_block(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"text": "a"}\n' * 99 + "{\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 100 is not JSON"):
        stream_texts(path, block=10)


def test_a_file_that_grows_between_two_readings_is_noticed(tmp_path):
    path = tmp_path / "set.txt"
    path.write_text("one\n", encoding="utf-8")
    stream = stream_texts(path)
    path.write_text("one\ntwo\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"set.txt gave 2 texts where it gave 1 before; leave the file"):
        list(stream)


def test_a_block_holds_a_text(tmp_path):
    with pytest.raises(InputError, match="the block is 0 texts; expected at least 1"):
        stream_texts(tmp_path / "set.txt", block=0)
