"""Files of every format, gzipped or not; a file that cannot be read is reported with its line."""

import gzip
import io
import json
import tracemalloc

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.errors import InputError
from vestige.text import formats
from vestige.text.corpora import stream_texts
from vestige.text.corpus import read_corpus
from vestige.text.formats import list_objects, read_blocks, read_parquet

ROWS = [
    {"document_id": "d1", "text": "First, a text.", "party": "red"},
    {"document_id": "d1", "text": 'A "second"\nline.', "party": "blue"},
]


def write_csv(path):
    path.write_text(
        'document_id,text,party\nd1,"First, a text.",red\nd1,"A ""second""\nline.",blue\n', encoding="utf-8"
    )


def write_jsonl(path):
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")


def write_parquet(path):
    pq.write_table(pa.Table.from_pylist(ROWS), path)


def parquet(table=None, **columns):
    file = io.BytesIO()
    pq.write_table(table or pa.table(columns), file)
    return file.getvalue()


def parquet_twice():
    return parquet(pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], ["text", "text"]))


def torn_parquet():
    whole = parquet(text=["a text", "another"])
    return whole[:4] + b"\xff" * 30 + whole[34:]


@pytest.mark.parametrize(
    ("suffix", "write"), [(".csv", write_csv), (".jsonl", write_jsonl), (".parquet", write_parquet)]
)
def test_texts_documents_and_attributes(tmp_path, suffix, write):
    path = tmp_path / f"set{suffix}"
    write(path)
    corpus = read_corpus(path)
    assert corpus.texts == [row["text"] for row in ROWS]
    assert corpus.documents == ["d1", "d1"]
    assert corpus.attributes == {"party": ["red", "blue"]}


@pytest.mark.parametrize(
    ("suffix", "write"), [(".csv.gz", write_csv), (".jsonl.gz", write_jsonl), (".parquet.gz", write_parquet)]
)
def test_gzipped(tmp_path, suffix, write):
    plain = tmp_path / "plain"
    write(plain)
    path = tmp_path / f"set{suffix}"
    path.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_corpus(path).texts == [row["text"] for row in ROWS]


def test_txt_has_one_text_per_line_and_skips_empty_ones(tmp_path):
    path = tmp_path / "set.txt"
    path.write_bytes(b"\xef\xbb\xbffirst\r\n\r\nsecond\n")
    assert read_corpus(path).texts == ["first", "second"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.txt", None, "gone.txt does not exist"),
        ("empty.csv", b" \n", "empty.csv is empty"),
        ("set.docx", b"x", r"ends in '.docx'; expected one of .txt, .jsonl, .csv, .parquet"),
        ("white.txt", "\x85\n".encode(), "white.txt is empty"),
        ("mark.jsonl", b"\xef\xbb\xbf\n", "mark.jsonl is empty"),
        ("none.parquet", parquet(text=pa.array([], pa.string())), "none.parquet is empty"),
        ("latin.txt", "one\ncafé\n".encode("latin-1"), r"latin.txt line 2 is not UTF-8 \(byte 0xe9\)"),
        ("marked.csv", b"\xef\xbb\xbftext\na\nb\xe9", r"marked.csv line 3 is not UTF-8 \(byte 0xe9\)"),
        ("long.txt", b"text\n" * 9000 + b"\xff", "long.txt line 9001 is not UTF-8"),
        ("bad.jsonl", b'{"text": "a"}\n{"text": \n', "bad.jsonl line 2 is not JSON"),
        ("list.jsonl", b"[1]\n", "line 1 holds a list"),
        ("bad.csv", b"text,label\na,b\nc\n", "bad.csv line 3 has 1 values, the header has 2"),
        ("open.csv", b'text,label\na,b\n"c,d\n', "open.csv line 3 is not CSV"),
        ("header.csv", b"text,label\n", "expected a header and at least one row"),
        ("twice.csv", b"text,text\na,b\n", "has two columns of the same name"),
        ("semicolon.csv", b"text;label\na;b\n", "appears to be separated by ';'"),
        ("cut.txt.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff", "cut.txt.gz cannot be read"),
        ("bad.parquet", b"PAR1 not at all", "bad.parquet is not a parquet file"),
        ("torn.parquet", torn_parquet(), "torn.parquet cannot be read"),
        ("latin.parquet", parquet(text=pa.array([b"caf\xe9"]).view(pa.string())), "latin.parquet cannot be read"),
        ("twice.parquet", parquet_twice(), "has two columns of the same name"),
        ("bad.txt.gz", b"no gzip", "bad.txt.gz cannot be read"),
        ("two.csv", b"one,two\na,b\n", "columns of strings: one, two, none of them named 'text'"),
        ("numbers.jsonl", b'{"a": 1}\n', "no column of strings"),
        ("blank.jsonl", b'{"text": ""}\n{"text": null}\n', "has no text in column 'text'"),
    ],
)
@pytest.mark.parametrize("read", [read_corpus, stream_texts])
def test_an_unreadable_file_is_reported(tmp_path, name, content, message, read):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read(path)


@pytest.mark.parametrize(
    ("suffix", "write"), [(".csv", write_csv), (".jsonl", write_jsonl), (".parquet", write_parquet)]
)
def test_an_unknown_column_suggests_the_nearest(tmp_path, suffix, write):
    path = tmp_path / f"set{suffix}"
    write(path)
    for read in (read_corpus, stream_texts):
        with pytest.raises(InputError, match=r"no column 'txt' \(--text-column\); did you mean 'text'"):
            read(path, text_column="txt")
    assert read_corpus(path, text_column="party").texts == ["red", "blue"]


def test_a_line_of_gigabytes_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "LONGEST_LINE", 1000)
    path = tmp_path / "t.txt"
    path.write_text("short\n" + "x" * 1001)
    with pytest.raises(InputError, match=r"t.txt line 2 is longer than 1,000 characters"):
        list(read_blocks(path, 10))


def test_json_that_is_nested_very_deeply_is_refused(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"text": ' + "[" * 200_000 + "]" * 200_000 + "}\n")
    with pytest.raises(InputError, match="line 1 is not JSON"):
        list(read_blocks(path, 10))


def test_large_rows_of_parquet_come_in_smaller_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "BYTES_AT_ONCE", 10**6)
    pq.write_table(pa.table({"text": ["x" * 2000] * 5000}), tmp_path / "t.parquet")
    sizes = [block.rows for block in read_blocks(tmp_path / "t.parquet", 4096)]
    assert sum(sizes) == 5000
    assert max(sizes) <= 2048
    monkeypatch.undo()
    assert [block.rows for block in read_blocks(tmp_path / "t.parquet", 4096)] == [4096, 904]


def test_a_gzipped_parquet_that_would_fill_the_disk_or_the_memory_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "bomb.parquet.gz"
    path.write_bytes(gzip.compress(bytes(10_000_000)))
    monkeypatch.setattr(formats, "memory_limit", lambda: 1_000_000)
    with pytest.raises(InputError, match=r"unpacks to more than 1\.0 MB"), formats.open_parquet(path):
        pass


def test_a_line_that_is_not_utf8_is_found_in_a_bounded_memory(tmp_path):
    path = tmp_path / "long.txt.gz"
    path.write_bytes(gzip.compress("é\n".encode() + bytes(50_000_000) + b"\xff\n"))
    tracemalloc.start()
    try:
        assert "line 2 is not UTF-8 (byte 0xff)" in str(formats._build_utf8_error(path))
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_rows_of_one_value_share_it():
    names = pa.array(["a" * 1000, "b", None])
    parts = [pa.DictionaryArray.from_arrays(pa.array(rows, pa.int32()), names) for rows in ([0, 1, None], [0, 2])]
    assert list_objects(pa.chunked_array(parts)) == ["a" * 1000, "b", None, "a" * 1000, None]
    assert len({id(value) for value in list_objects(parts[0].take(pa.array([0] * 100)))}) == 1


def test_texts_that_parquet_repeats_take_no_more_memory_than_one(tmp_path):
    repeated = pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int32()), pa.array(["x" * 10**5]))
    pq.write_table(pa.table({"text": repeated}), tmp_path / "t.parquet")
    (block,) = read_parquet(tmp_path / "t.parquet", 1000)
    assert len({id(text) for text in block.columns["text"]}) == 1
