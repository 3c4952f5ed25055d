"""Stores, files of vectors and files of texts are found; everything else is passed over."""

import sqlite3
from contextlib import closing

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.cli.detection import (
    FoundTexts,
    FoundVectors,
    choose_text_column,
    explain_texts,
    find_texts,
    find_vectors,
)

TEXTS = [f"The bank took {row} dollars." for row in range(150)]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "notes.txt").write_text("\n".join(TEXTS))
    (tmp_path / "short.txt").write_text("one\ntwo\n")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8")
    (tmp_path / "broken.npy").write_bytes(b"not an array")
    np.save(tmp_path / "alone.npy", np.eye(150, 4, dtype=np.float32))
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(np.ones(600, dtype=np.float32)), 4)
    pq.write_table(pa.table({"vector": vectors, "text": TEXTS}), tmp_path / "both.parquet")
    (tmp_path / "wiki.index").write_bytes(b"IxFI")
    return tmp_path


def test_files_of_vectors_are_found_with_their_rows_and_whether_they_hold_texts(folder):
    assert find_vectors(folder) == [
        FoundVectors("alone.npy", "alone", 150, has_texts=False),
        FoundVectors("both.parquet", "both", 150, has_texts=True),
        FoundVectors("faiss:wiki.index", "wiki"),
    ]


def test_files_with_enough_texts_are_found(folder):
    assert find_texts(folder) == [FoundTexts("both.parquet", 150), FoundTexts("notes.txt", 150)]


def test_the_collections_of_embedded_stores_are_found(tmp_path):
    (tmp_path / "chroma_db").mkdir()
    with closing(sqlite3.connect(tmp_path / "chroma_db" / "chroma.sqlite3")) as database, database:
        database.execute("CREATE TABLE collections (name TEXT)")
        database.executemany("INSERT INTO collections VALUES (?)", [("mail",), ("letters",)])
    (tmp_path / "lance" / "pages.lance").mkdir(parents=True)
    (tmp_path / "points" / "collection" / "faces").mkdir(parents=True)
    (tmp_path / "points" / "meta.json").touch()
    (tmp_path / "plain").mkdir()
    assert [(each.source, each.name, each.has_texts) for each in find_vectors(tmp_path)] == [
        ("chroma:chroma_db#letters", "letters", None),
        ("chroma:chroma_db#mail", "mail", None),
        ("lancedb:lance#pages", "pages", None),
        ("qdrant:points#faces", "faces", None),
    ]


def test_a_database_that_is_not_of_chroma_is_passed_over(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "chroma.sqlite3").write_bytes(b"not a database at all")
    assert find_vectors(tmp_path) == []


def write_feedback(folder, rows=150, mark=","):
    """A table of two columns of strings, of which neither has a usual name."""
    lines = [f"agent {row % 3}{mark}The bank took {row} dollars from us" for row in range(rows)]
    (folder / "feedback.csv").write_text("\n".join([f"agent{mark}what", *lines]))


def test_the_longest_prose_is_taken_if_no_name_says_which_column_has_the_texts(tmp_path):
    write_feedback(tmp_path)
    assert find_texts(tmp_path) == [FoundTexts("feedback.csv", 150, "what")]
    (tmp_path / "named.csv").write_text("text,longer\na b c,d e f g h\n")
    assert choose_text_column(tmp_path / "named.csv") is None


def test_files_that_are_passed_over_are_explained(folder):
    write_feedback(folder, rows=20)
    (folder / "other.csv").write_text("agent;what\n")
    reasons = explain_texts(folder)
    assert [reason.partition(".csv")[2] for reason in reasons if ".csv" in reason] == [
        " has 20 texts; an audit needs at least 130",
        " appears to be separated by ';'; save it as comma-separated values",
    ]
    assert not any("notes.txt" in reason for reason in reasons)


def test_a_database_without_end_is_passed_over(tmp_path):
    (tmp_path / "chroma_db").mkdir()
    with closing(sqlite3.connect(tmp_path / "chroma_db" / "chroma.sqlite3")) as database, database:
        numbers = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)"
        database.execute(f"CREATE VIEW collections AS {numbers} SELECT 'c' || id AS name FROM n")
    assert find_vectors(tmp_path) == []
