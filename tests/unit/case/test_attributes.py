"""Which columns are attributes, and why others are not."""

import pytest

from vestige.case.attributes import MOST_ATTRIBUTES, find_attributes
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.text.corpus import Corpus

ROWS = 60


def corpus_with(**columns):
    return Corpus("data.csv", [f"text {row}" for row in range(ROWS)], attributes=columns, text_column="text")


def named(corpus, *columns):
    return find_attributes(corpus, Settings(attributes=columns))


def test_columns_that_look_like_labels_are_attributes_and_others_are_skipped_with_a_reason():
    found = find_attributes(
        corpus_with(
            topic=["news", "sport"] * 30,
            year=[1950 + row // 2 for row in range(ROWS)],
            id=list(range(ROWS)),
            title=[f"title {row}" for row in range(ROWS)],
            language=["en"] * ROWS,
            note=["a", "b", *[None] * (ROWS - 2)],
            empty=[None] * ROWS,
            vector=[[0.0, 1.0]] * ROWS,
        ),
        Settings(),
    )
    assert set(found.columns) == {"topic", "year"}
    assert found.columns["year"].ranges
    assert found.skipped == {
        "id": "it numbers the rows",
        "title": "most of its 60 values come in fewer than 5 documents",
        "language": "it has one class",
        "note": "2 documents have a label, fewer than 20",
        "empty": "it is empty",
        "vector": "it has no single values",
    }


def test_classes_are_counted_by_document():
    """Sixty rows of six documents: ten rows share a class, but no class has two documents."""
    documents = [str(row // 10) for row in range(ROWS)]
    column = {"title": [f"title {document}" for document in documents]}
    corpus = Corpus("c", [f"text {row}" for row in range(ROWS)], documents, column)
    assert not find_attributes(corpus, Settings()).columns
    with pytest.raises(InputError, match="6 classes of one document each"):
        named(corpus, "title")


def test_a_column_of_authors_counts_even_if_most_wrote_little():
    names = ["ann"] * 6 + ["bob"] * 6 + [f"writer {row}" for row in range(ROWS - 12)]
    assert set(find_attributes(corpus_with(author=names, place=names), Settings()).columns) == {"author"}


def test_at_most_a_handful_is_attacked():
    found = find_attributes(corpus_with(**{f"c{place}": ["a", "b"] * 30 for place in range(7)}), Settings())
    assert list(found.columns) == [f"c{place}" for place in range(MOST_ATTRIBUTES)]
    assert found.skipped == {"c5": "5 others come before it", "c6": "5 others come before it"}


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("topik", "data.csv has no column 'topik' .*did you mean 'topic'"),
        ("text", "is its text or document"),
        ("same", "column 'same' of data.csv is 'x' throughout; expected at least two classes"),
        ("empty", "is empty; expected at least two classes"),
        ("vector", "holds lists or records"),
    ],
)
def test_a_named_column_that_cannot_be_an_attribute_is_refused(column, message):
    corpus = corpus_with(topic=["a", "b"] * 30, same=["x"] * ROWS, empty=[""] * ROWS, vector=[[1.0]] * ROWS)
    with pytest.raises(InputError, match=message):
        named(corpus, "topic", column)
    assert set(named(corpus, "topic").columns) == {"topic"}


def test_texts_without_columns_say_so():
    with pytest.raises(InputError, match="it has no columns of labels"):
        named(Corpus("plain.txt", ["a", "b"]), "author")
