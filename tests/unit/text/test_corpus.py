"""A corpus keeps rows together; a corpus that is written is the corpus that is read."""

import stat
from datetime import date

import pytest

from vestige.errors import InputError
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus, read_corpus, write_corpus

ROWS = Corpus(
    "few",
    ['a "quoted", text', "two\r\nlines", "Zürich\u2028here"],
    ["x", "x", "y"],
    {"topic": ["one", None, "three"]},
    "body",
    "letter",
)


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
def test_texts_documents_and_columns_come_back(ending, tmp_path):
    path = tmp_path / f"few{ending}"
    write_corpus(ROWS, path)
    again = read_corpus(path, "body", "letter")
    assert (again.texts, again.documents) == (ROWS.texts, ROWS.documents)
    missing = "" if ending == ".csv" else None
    assert again.attributes == {"topic": ["one", missing, "three"]}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_without_a_document_column_none_is_written(tmp_path):
    write_corpus(Corpus("few", ["one", "two"]), tmp_path / "few.jsonl")
    assert read_corpus(tmp_path / "few.jsonl") == Corpus("few.jsonl", ["one", "two"], text_column="text")


def test_a_shipped_corpus_comes_back_whole(tmp_path):
    corpus = load_corpus("complaints").take(range(50))
    write_corpus(corpus, tmp_path / "letters.parquet")
    again = load_corpus(tmp_path / "letters.parquet")
    assert (again.texts, again.documents, again.attributes) == (corpus.texts, corpus.documents, corpus.attributes)


def test_a_date_is_written_as_text_where_the_format_has_none(tmp_path):
    write_corpus(Corpus("few", ["one"], attributes={"day": [date(2020, 1, 2)]}), tmp_path / "few.jsonl")
    assert read_corpus(tmp_path / "few.jsonl").attributes == {"day": ["2020-01-02"]}


def test_a_corpus_that_cannot_be_written_leaves_no_file(tmp_path):
    with pytest.raises(InputError, match=r"ends in '\.txt'; expected one of \.jsonl, \.csv, \.parquet"):
        write_corpus(ROWS, tmp_path / "few.txt")
    (tmp_path / "few.csv").write_text("mine")
    with pytest.raises(InputError, match="already exists"):
        write_corpus(ROWS, tmp_path / "few.csv")
    assert (tmp_path / "few.csv").read_text() == "mine"
    with pytest.raises(InputError, match=r"column 'mixed' does not fit into parquet .* write a \.jsonl"):
        write_corpus(Corpus("few", ["a", "b"], attributes={"mixed": [1, "b"]}), tmp_path / "few.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["few.csv"]


def test_sentences_carry_their_document_and_attributes():
    corpus = Corpus("c", ["One two three. Four five six seven.", "Eight nine ten."], ["a", "b"], {"year": [1, 2]})
    sentences = corpus.sentences(3, 3)
    assert sentences.texts == ["One two three.", "Eight nine ten."]
    assert sentences.documents == ["a", "b"]
    assert sentences.attributes == {"year": [1, 2]}


def test_passages_are_consecutive_sentences_with_enough_words():
    corpus = Corpus("c", ["One two. Three four five. Six seven. Eight.", "Nine."], ["a", "b"], {"year": [1, 2]})
    passages = corpus.passages(4)
    assert passages.texts == ["One two. Three four five."]
    assert passages.documents == ["a"]
    assert corpus.passages(2).texts == ["One two.", "Three four five.", "Six seven."]


def test_rows_without_a_document_are_separate_documents():
    assert len(set(Corpus("c", ["a", "a", "b"]).documents)) == 3


def test_columns_must_be_as_long_as_the_texts():
    with pytest.raises(InputError, match="2 texts but 1 values in 'year'"):
        Corpus("c", ["a", "b"], attributes={"year": [1]})


def test_rows_of_a_file_without_a_document_are_separate_documents(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"text": "a", "doc_id": "d"}\n{"text": "b"}\n{"text": "c"}\n', encoding="utf-8")
    corpus = read_corpus(path)
    assert len(set(corpus.documents)) == 3
    assert (corpus.text_column, corpus.document_column) == ("text", "doc_id")
