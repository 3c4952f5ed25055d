"""The books of Song's Figure 5: who learned what, how rare words are, and which tenth that is."""

from dataclasses import replace

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.papers.song2020.books import MembershipCandidates, rarity, read_books, tenths
from vestige.text.corpus import Corpus


def test_parts_share_no_book_and_labels_are_few_and_of_both_sides(song_run):
    books = read_books(song_run)
    learned, control = set(books.study.documents), set(books.control.documents)
    candidates = set(books.sentences.documents)
    size = song_run.sizes.books
    assert (len(learned), len(control), len(candidates)) == (size, size, 2 * size)
    assert learned < candidates
    assert not control & candidates
    assert not set(books.study.texts) & set(books.control.texts)
    by_name = dict(zip(books.sentences.documents, zip(books.members, books.labelled, strict=True), strict=True))
    assert {name for name, (member, _) in by_name.items() if member} == learned
    assert [sum(labelled and member == side for member, labelled in by_name.values()) for side in (True, False)] == [
        4,
        4,
    ]
    assert not set(books.candidates.documents) & {name for name, (_, labelled) in by_name.items() if labelled}


def test_too_few_books_raise(song_run):
    with pytest.raises(InputError, match="figure5 needs 30000"):
        read_books(replace(song_run, sizes=replace(song_run.sizes, books=10_000)))


def test_rarity_is_minus_the_average_count():
    sentences = Corpus("two", ["the cat", "the dog", "the", "sun", "sun"], ["a", "a", "a", "b", "b"])
    pairs, books = rarity(sentences)
    # "the" three times, "sun" twice, "cat" and "dog" once: means 2, 2, 3, 2, 2.
    assert pairs.tolist() == [-2, -2.5, -2]
    assert books == pytest.approx([-7 / 3, -2])


def test_tenths_are_of_one_size_and_in_order():
    assert tenths(np.arange(20.0)[::-1]).tolist() == sorted([*range(1, 11)] * 2, reverse=True)
    assert tenths(np.zeros(20)).tolist() == sorted([*range(1, 11)] * 2)


def test_advantage_is_that_of_the_rows_of_a_tenth():
    names = [str(row) for row in range(80)]
    members = np.arange(80) % 2 == 0
    tenth = np.repeat([1, 2], 40)
    candidates = MembershipCandidates(names, members, tenth)
    scores = np.where(tenth == 1, members, 0.0)
    assert candidates.advantage(scores, 1, 0).value == 1
    assert candidates.advantage(scores, 2, 0).value == 0
    assert candidates.advantage(scores, None, 0).n == 80
    assert candidates.advantage(scores, 3, 0) is None
