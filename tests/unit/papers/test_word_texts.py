"""The windows of Song's Figure 4: no document on two sides, no copy, no word that betrays its side."""

from collections import Counter

import pytest

from tests.unit.papers.conftest import SONG_SIZES
from vestige.papers.run import Run
from vestige.papers.song2020.word_texts import contest, read_parts
from vestige.text.words import words

RUN = Run(SONG_SIZES)


@pytest.fixture(scope="module")
def parts():
    return read_parts(RUN)


@pytest.fixture(scope="module")
def windows(parts):
    return contest(RUN, parts)


def test_the_parts_are_as_large_as_one_another_and_share_no_document(parts):
    sides = [set(part.documents) for part in (parts.members, parts.others, parts.public)]
    assert [len(side) for side in sides] == [SONG_SIZES.articles] * 3
    assert len(set.union(*sides)) == 3 * SONG_SIZES.articles


def test_every_window_is_of_its_side_alone_and_of_words_that_all_parts_have(parts, windows):
    text = {part.name + name: " ".join(map(" ".join, map(words, part.texts))) for name, part in vars(parts).items()}
    members, others, public = (f" {each} " for each in text.values())
    counts = [Counter(each.split()) for each in (members, others, public)]
    for decile, (ours, theirs) in enumerate(zip(windows.members, windows.others, strict=True)):
        assert 0 < len(ours) <= SONG_SIZES.windows
        assert 0 < len(theirs) <= SONG_SIZES.windows
        for window in ours.words:
            assert f" {' '.join(window)} " in members
            assert f" {' '.join(window)} " not in others
            assert all(count[word] >= 5 for word in window for count in counts)
            assert counts[2][window[2]] >= windows.least[decile]
        for window in theirs.words:
            assert f" {' '.join(window)} " not in members
        assert set(ours.owners) <= set(parts.members.documents)
        assert set(theirs.owners) <= set(parts.others.documents)


def test_deciles_fall_in_frequency_and_copies_are_counted(windows):
    assert list(windows.least) == sorted(windows.least, reverse=True)
    assert len(windows.least) == 10
    assert windows.least[-1] >= 5
    assert 0 < windows.copied < windows.found
