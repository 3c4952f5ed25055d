"""Posts that quote each other: quotes and signatures have no label, and a thread is not split."""

from dataclasses import replace

import pytest

from vestige.case.quote_stripping import find_threads, hide_thread_labels, quoted_share, strip_quoted_labels
from vestige.text.corpus import Corpus

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
    found = strip_quoted_labels(posts, sentences)
    assert found.attributes == {"author": [None, "ann", None, "bob"], "topic": [None, "x", None, "x"]}
    assert found.texts == sentences.texts
    assert strip_quoted_labels(Corpus("p", POSTS.texts), replace(sentences, attributes={})).attributes == {}


@pytest.mark.parametrize(("column", "label"), [("poster", None), ("Author", None), ("topic", "ann")])
def test_what_one_person_writes_twice_is_a_signature_and_what_one_topic_has_twice_is_not(column, label):
    posts = Corpus("p", ["All the best from Rome.\nA dog.", "All the best from Rome.\nA cat."], ["1", "2"])
    sentences = posts.sentences()
    posts, sentences = (replace(each, attributes={column: ["ann"] * len(each)}) for each in (posts, sentences))
    found = dict(zip(sentences.texts, strip_quoted_labels(posts, sentences).attributes[column], strict=True))
    assert found == {"All the best from Rome.": label, "A dog.": "ann", "A cat.": "ann"}


def test_an_address_in_a_paragraph_takes_its_sentence_and_not_the_paragraph():
    said = "I have waited for an answer for weeks and weeks, and nobody has written back."
    posts = Corpus("p", [f"{said} Write to ann@rome.it at once. {said}", f"> {said} It is quoted. {said}"])
    posts = replace(posts, attributes={"topic": ["x", "x"]})
    found = strip_quoted_labels(posts, posts.sentences())
    assert found.attributes["topic"] == ["x", None, "x", None, None, None]


def test_the_adversary_has_no_labels_of_threads_under_attack():
    assert find_threads(POSTS) == {"1": {"cats"}, "2": {"cats"}, "3": {"dogs"}}
    known = Corpus("k", ["a", "b"], ["2", "3"], {"poster": ["bob", "bob"], "topic": ["x", "y"]})
    assert hide_thread_labels(known, ["1"], find_threads(POSTS)).attributes == {
        "poster": [None, "bob"],
        "topic": [None, "y"],
    }
    of_threads = replace(known, attributes={"subject": ["cats", "dogs"]})
    assert hide_thread_labels(of_threads, ["1"], find_threads(POSTS)) == of_threads


def test_without_threads_nothing_is_taken_away():
    plain = Corpus("p", ["a"], ["1"], {"author": ["ann"]})
    assert find_threads(plain) == {}
    assert hide_thread_labels(plain, ["1"], {}) == plain


def test_texts_that_quote_or_sign_are_counted():
    assert quoted_share(POSTS.texts) == pytest.approx(1 / 3)
    assert quoted_share(["A line.\r\n\r\nAnother.\n", " Plain. "]) == 0
