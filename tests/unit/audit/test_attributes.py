"""Which columns are attributes, and what is done about posts that quote each other."""

from dataclasses import replace

import pytest

from vestige.case.attributes import MOST_ATTRIBUTES, attributes_of
from vestige.case.quote_stripping import only_own, quoting, threads_of, walled
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.text.corpus import Corpus

ROWS = 60


def corpus_with(**columns):
    return Corpus("data.csv", [f"text {row}" for row in range(ROWS)], attributes=columns, text_column="text")


def named(corpus, *columns):
    return attributes_of(corpus, Settings(attributes=columns))


def test_columns_that_look_like_labels_are_found_and_the_others_are_told():
    found = attributes_of(
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
    assert found.apart == {
        "id": "it numbers the rows",
        "title": "most of its 60 values come in fewer than 5 documents",
        "language": "it has one class",
        "note": "2 documents have a label, fewer than 20",
        "empty": "it is empty",
        "vector": "it holds no single values",
    }


def test_classes_are_counted_by_document():
    """Sixty rows of six documents: ten rows share a class, but no class has two documents."""
    documents = [str(row // 10) for row in range(ROWS)]
    column = {"title": [f"title {document}" for document in documents]}
    corpus = Corpus("c", [f"text {row}" for row in range(ROWS)], documents, column)
    assert not attributes_of(corpus, Settings()).columns
    with pytest.raises(InputError, match="6 classes of one document each"):
        named(corpus, "title")


def test_authors_are_looked_at_though_most_wrote_little():
    names = ["ann"] * 6 + ["bob"] * 6 + [f"writer {row}" for row in range(ROWS - 12)]
    assert set(attributes_of(corpus_with(author=names, place=names), Settings()).columns) == {"author"}


def test_at_most_a_handful_is_attacked():
    found = attributes_of(corpus_with(**{f"c{place}": ["a", "b"] * 30 for place in range(7)}), Settings())
    assert list(found.columns) == [f"c{place}" for place in range(MOST_ATTRIBUTES)]
    assert found.apart == {"c5": "5 others come before it", "c6": "5 others come before it"}


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("topik", "data.csv has no column 'topik' .*did you mean 'topic'"),
        ("text", "is its text or document"),
        ("same", "column 'same' of data.csv is 'x' throughout; expected two classes"),
        ("empty", "is empty; expected two classes"),
        ("vector", "holds lists or records"),
    ],
)
def test_a_column_that_was_named_and_can_be_no_attribute_is_refused(column, message):
    corpus = corpus_with(topic=["a", "b"] * 30, same=["x"] * ROWS, empty=[""] * ROWS, vector=[[1.0]] * ROWS)
    with pytest.raises(InputError, match=message):
        named(corpus, "topic", column)
    assert set(named(corpus, "topic").columns) == {"topic"}


def test_texts_without_columns_say_so():
    with pytest.raises(InputError, match="it has no columns of labels"):
        named(Corpus("plain.txt", ["a", "b"]), "author")


POSTS = Corpus(
    "posts",
    ["> The cat sat there.\nI saw a dog today.\n-- \nAnn of Rome", "The cat sat there.", "Another matter entirely."],
    ["1", "2", "3"],
    {"author": ["ann", "bob", "bob"], "subject": ["Re: cats", "Cats", "dogs"]},
)


def test_quoted_sentences_and_signatures_have_no_label():
    sentences = Corpus(
        "s",
        ["The cat sat there.", "I saw a dog today.", "Ann of Rome", "The cat sat there."],
        ["1", "1", "1", "2"],
        {"author": ["ann", "ann", "ann", "bob"], "topic": ["x"] * 4},
    )
    posts = replace(POSTS, attributes={"author": POSTS.attributes["author"], "topic": ["x"] * 3})
    found = only_own(posts, sentences)
    assert found.attributes == {"author": [None, "ann", None, "bob"], "topic": [None, "x", None, "x"]}
    assert found.texts == sentences.texts
    assert only_own(Corpus("p", POSTS.texts), replace(sentences, attributes={})).attributes == {}


@pytest.mark.parametrize(("column", "label"), [("poster", None), ("Author", None), ("topic", "ann")])
def test_what_one_person_writes_twice_is_a_signature_and_what_one_topic_has_twice_is_not(column, label):
    posts = Corpus("p", ["All the best from Rome.\nA dog.", "All the best from Rome.\nA cat."], ["1", "2"])
    sentences = posts.sentences()
    posts, sentences = (replace(each, attributes={column: ["ann"] * len(each)}) for each in (posts, sentences))
    found = dict(zip(sentences.texts, only_own(posts, sentences).attributes[column], strict=True))
    assert found == {"All the best from Rome.": label, "A dog.": "ann", "A cat.": "ann"}


def test_an_address_in_a_paragraph_takes_its_sentence_and_not_the_paragraph():
    said = "I have waited for an answer for weeks and weeks, and nobody has written back."
    posts = Corpus("p", [f"{said} Write to ann@rome.it at once. {said}", f"> {said} It is quoted. {said}"])
    posts = replace(posts, attributes={"topic": ["x", "x"]})
    found = only_own(posts, posts.sentences())
    assert found.attributes["topic"] == ["x", None, "x", None, None, None]


def test_labels_of_a_thread_under_attack_are_not_told_to_the_stranger_whatever_they_are_called():
    assert threads_of(POSTS) == {"1": {"cats"}, "2": {"cats"}, "3": {"dogs"}}
    known = Corpus("k", ["a", "b"], ["2", "3"], {"poster": ["bob", "bob"], "topic": ["x", "y"]})
    assert walled(known, ["1"], threads_of(POSTS)).attributes == {"poster": [None, "bob"], "topic": [None, "y"]}
    asked = replace(known, attributes={"subject": ["cats", "dogs"]})
    assert walled(asked, ["1"], threads_of(POSTS)) == asked


def test_without_threads_nothing_is_taken_away():
    plain = Corpus("p", ["a"], ["1"], {"author": ["ann"]})
    assert threads_of(plain) == {}
    assert walled(plain, ["1"], {}) == plain


def test_texts_that_quote_or_sign_are_counted():
    assert quoting(POSTS.texts) == pytest.approx(1 / 3)
    assert quoting(["A line.\r\n\r\nAnother.\n", " Plain. "]) == 0
