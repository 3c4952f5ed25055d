"""Corpora by name, and streams of texts that equal the texts of the corpus."""

import csv
import gzip
import json
import os
import tracemalloc
from itertools import chain

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vestige.errors import InputError
from vestige.text.corpora import is_available, load_corpus, stream_texts

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
property_of_files = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


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
def test_optional_columns_are_chosen_as_in_the_corpus(tmp_path, rows, block, column):
    path = tmp_path / "set.jsonl"
    write_jsonl(path, rows)
    assert same_as_the_corpus(path, block, column)


@property_of_files
@given(content=st.lists(st.sampled_from(AWKWARD), max_size=30).map("".join), ending=st.sampled_from(sorted(WRITERS)))
def test_any_content_is_read_or_rejected_as_by_load_corpus(tmp_path, content, ending):
    path = tmp_path / f"set{ending}"
    path.write_bytes(content.encode())
    assert same_as_the_corpus(path, 2)


@pytest.mark.parametrize("ending", ENDINGS)
def test_blocks_come_in_order_in_every_iteration(tmp_path, ending):
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


def test_no_whole_row_group_or_parquet_file_is_in_memory(tmp_path):
    path = tmp_path / "set.parquet"
    table = pa.table({"text": [f"{row} " + "word " * 20 for row in range(200_000)]})
    pq.write_table(table, path, row_group_size=100_000, compression="none")
    before = pa.total_allocated_bytes()
    held = max(pa.total_allocated_bytes() - before for _ in stream_texts(path, block=1000))
    assert held < path.stat().st_size / 4


def test_an_error_on_the_last_line_is_raised_before_the_first_block(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"text": "a"}\n' * 99 + "{\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 100 is not JSON"):
        stream_texts(path, block=10)


def test_a_file_that_changes_between_two_passes_is_detected(tmp_path):
    path = tmp_path / "set.txt"
    path.write_text("one\n", encoding="utf-8")
    stream = stream_texts(path)
    path.write_text("one\ntwo\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"set.txt has 2 texts where it had 1 before; do not change"):
        list(stream)


def test_a_block_has_at_least_one_text(tmp_path):
    with pytest.raises(InputError, match="the block is 0 texts; expected at least 1"):
        stream_texts(tmp_path / "set.txt", block=0)


def test_the_shipped_corpora_have_their_labels():
    complaints, speeches = load_corpus("complaints"), load_corpus("speeches")
    assert len(complaints) > 5000
    assert len(set(complaints.attributes["product"])) == 8
    assert len(set(speeches.documents)) == 249
    assert len(set(speeches.attributes["author"])) == 43
    assert set(speeches.attributes) == {"author", "party", "year"}
    assert not any("XXXX" in text for text in complaints.texts)


def test_the_shipped_corpora_are_small():
    from importlib.resources import files

    sizes = [len(file.read_bytes()) for file in (files("vestige.text") / "data").iterdir()]
    assert sum(sizes) < 3_000_000


def test_a_corpus_is_found_in_the_folder_of_the_environment_variable(tmp_path, monkeypatch):
    pq.write_table(pa.table({"id": ["7"], "text": ["A film."], "label": ["pos"]}), tmp_path / "imdb.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    corpus = load_corpus("imdb")
    assert (corpus.name, corpus.texts, corpus.documents) == ("imdb", ["A film."], ["7"])
    assert is_available("imdb")


def test_the_first_folder_that_has_the_corpus_wins(tmp_path, monkeypatch):
    for folder, text in (("first", "One."), ("second", "Two.")):
        (tmp_path / folder).mkdir()
        pq.write_table(pa.table({"id": ["7"], "text": [text]}), tmp_path / folder / "imdb.parquet")
    pq.write_table(pa.table({"id": ["8"], "text": ["A case."]}), tmp_path / "second" / "pubmed.parquet")
    folders = [tmp_path / "nowhere", tmp_path / "first", tmp_path / "second"]
    monkeypatch.setenv("VESTIGE_DATA", os.pathsep.join(map(str, folders)))
    assert load_corpus("imdb").texts == ["One."]
    assert load_corpus("pubmed").documents == ["8"]
    assert is_available("pubmed")
    assert not is_available("agnews")
    with pytest.raises(InputError, match=r"nowhere/agnews.parquet or .*second/agnews.parquet does not exist"):
        load_corpus("agnews")


@pytest.mark.parametrize("folder", [None, "nowhere"])
def test_a_missing_corpus_says_how_to_get_it(monkeypatch, folder):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    if folder:
        monkeypatch.setenv("VESTIGE_DATA", folder)
    with pytest.raises(InputError, match=r"Large Movie Review Dataset.*imdb\.parquet.*VESTIGE_DATA"):
        load_corpus("imdb")


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(InputError, match="did you mean 'complaints'"):
        load_corpus("complaint")
