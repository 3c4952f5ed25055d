"""Figure 4, once, at a size for tests; no document on two sides, no copy, no word that reveals its side."""

from collections import Counter

import pytest

from tests.unit.papers.conftest import SONG_SIZES
from tests.unit.papers.measuring import reproduce
from vestige.errors import InputError
from vestige.papers.record import OURS, PAPER
from vestige.papers.run import PaperRun
from vestige.papers.song2020.figure4 import DEALT, REFERRED, UNTAUGHT, draw_windows, read_parts
from vestige.text.words import words

RUN = PaperRun(SONG_SIZES)


@pytest.fixture(scope="module")
def parts():
    return read_parts(RUN)


@pytest.fixture(scope="module")
def windows(parts):
    return draw_windows(RUN, parts)


def test_membership_has_a_column_per_decile_and_its_controls():
    pytest.importorskip("gensim")
    record = reproduce("song2020", "figure4", PaperRun(SONG_SIZES))
    assert [(row.model, row.here) for row in record.rows] == [
        ("Word2Vec", "word2vec"),
        ("FastText", "fasttext"),
        ("GloVe", "glove"),
    ]
    for row in record.rows:
        assert [line.by for line in row.lines] == [PAPER, OURS, REFERRED, UNTAUGHT, DEALT]
        assert all(None not in line.scores for line in row.lines)
    assert [plot.up for plot in record.plots] == ["advantage"] * 3
    assert [point.at for point in record.plots[0].curves[0].points] == list(range(1, 11))
    assert "at least 5 times in each of the three parts" in " ".join(record.differs)


def test_only_word_vectors_that_are_trained_here_are_attacked():
    with pytest.raises(InputError, match="encoder 'hashing:64' has no word vectors that are trained here"):
        reproduce("song2020", "figure4", PaperRun(SONG_SIZES, encoders={"GloVe": "hashing:64"}))


def test_the_parts_have_one_size_and_share_no_document(parts):
    sides = [set(part.documents) for part in (parts.members, parts.others, parts.public)]
    assert [len(side) for side in sides] == [SONG_SIZES.articles] * 3
    assert len(set.union(*sides)) == 3 * SONG_SIZES.articles


def test_every_window_is_of_one_side_and_of_words_of_all_parts(parts, windows):
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
