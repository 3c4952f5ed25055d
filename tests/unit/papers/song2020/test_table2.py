"""The notes of Table 2."""

from dataclasses import replace

import pytest

from tests.unit.papers.conftest import SONG_SIZES
from vestige.papers.run import PaperRun
from vestige.papers.song2020.notes import white_box_notes
from vestige.papers.song2020.table2 import black_box_notes
from vestige.papers.song2020.texts import read_texts


@pytest.fixture(scope="module")
def song_texts():
    return read_texts(PaperRun(SONG_SIZES))


def all_of(sentences):
    return " ".join(sentences)


def test_notes_state_how_short_the_trainings_are(song_texts):
    said = all_of(black_box_notes(SONG_SIZES, song_texts))
    # 100 and 80 sentences fit one batch of 256: an update an epoch.
    assert "train 1 epochs (30): 1 updates with the same domain and 1 with the other (23,460 and 93,750" in said
    assert "All words count, stop words included, as in the paper." in said
    content = all_of(black_box_notes(replace(SONG_SIZES, words="content", vocabulary=None), song_texts))
    assert "Content words alone count" in content
    assert "guess from all words" in content


def test_notes_state_when_a_descent_ends():
    said = all_of(white_box_notes(SONG_SIZES))
    assert "attacks 12 of the targets, drawn at random from as many documents as possible" in said
    assert "has converged, at most 3 steps" in said
    assert "at most" not in all_of(white_box_notes(replace(SONG_SIZES, steps=None)))
    assert "ridge regression" in said
    assert "holds no pairs and searches the encoder's whole vocabulary" in said
    assert "searches the 50 most frequent words" in all_of(white_box_notes(replace(SONG_SIZES, searched=50)))
    tuned = all_of(white_box_notes(replace(SONG_SIZES, searched=None, tuned=True)))
    assert "holds pairs, to choose its settings, and searches the encoder's whole vocabulary" in tuned
