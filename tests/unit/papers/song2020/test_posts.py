"""Labelled sentences and targets share no document, and every author has enough of both."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.unit.papers.conftest import SONG_SIZES
from vestige.errors import InputError
from vestige.papers.run import PaperRun
from vestige.papers.song2020.posts import LABELS, SPARE, TARGETS, read_posts
from vestige.text.corpus import Corpus


@pytest.fixture(scope="module")
def posts():
    return read_posts(PaperRun(SONG_SIZES), "Speeches")


def test_labelled_sentences_targets_and_training_text_share_no_document(posts):
    documents = np.array(posts.corpus.documents)
    labelled, targets = (set(documents[rows]) for rows in (posts.split.auxiliary, posts.split.target))
    study = set(posts.study.documents)
    assert not labelled & targets
    assert not study & (labelled | targets)


def test_every_author_has_enough_labels_and_the_same_number_of_targets(posts):
    authors = np.array(posts.authors)
    labels, targets = (Counter(authors[rows]) for rows in (posts.split.auxiliary, posts.split.target))
    assert labels.keys() == targets.keys()
    assert len(labels) == SONG_SIZES.authors
    assert all(LABELS <= count <= LABELS + SPARE for count in labels.values())
    assert set(targets.values()) == {TARGETS}
    assert posts.classes == round(0.75 * SONG_SIZES.authors)


def test_too_few_authors_raise():
    with pytest.raises(InputError, match="speeches has 3 authors of 50 sentences to learn from and 25 to attack"):
        read_posts(PaperRun(replace(SONG_SIZES, authors=3)), "Speeches")


def test_of_chat_messages_those_of_authors_with_few_train_the_encoders(monkeypatch):
    rows = [
        (f"message number {number} of {author} here", f"{author}-{number // 3}", author)
        for author in [f"often {place}" for place in range(10)]
        for number in range(120)
    ]
    rows += [("too short", "short", "often 0"), ("a message of somebody else", "rare", "seldom")]
    texts, documents, authors = (list(column) for column in zip(*rows, strict=True))
    chat = Corpus("chat", texts, documents, {"author": authors})
    monkeypatch.setattr("vestige.papers.song2020.posts.load_corpus", lambda _name: chat)
    posts = read_posts(PaperRun(SONG_SIZES), "Chat")
    assert set(posts.authors) == {f"often {place}" for place in range(10)}
    assert posts.study.texts == ["a message of somebody else"]
    assert "too short" not in posts.corpus.texts
