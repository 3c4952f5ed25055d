"""The notes of Table 2."""

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
    assert "trains 1 epochs (30): 1 updates with the same domain and 1 with the other (23,460 and 93,750" in said
    assert "trains all 30 epochs, on fewer sentences: 30 updates" in said
    assert said.count("no verdict on the recipe") == 2
    white = all_of(white_box_notes(SONG_SIZES))
    assert "takes at most 3 steps" in white
    assert "until they converge" in white
    assert "no verdict on the recipe" in white
    assert "ridge regression" in white
