"""The parts share no document, and the sizes hold."""

import pytest

from tests.unit.papers.conftest import SONG_SIZES
from vestige.papers.run import PaperRun
from vestige.papers.song2020.texts import read_texts
from vestige.text.words import words


@pytest.fixture(scope="module")
def song_texts():
    return read_texts(PaperRun(SONG_SIZES))


def test_song_sides_share_no_document_and_no_text(song_texts):
    sides = [set(song_texts.study.documents), set(song_texts.targets.documents)]
    sides.append(set(song_texts.auxiliary["same"].documents))
    assert not sides[0] & sides[1]
    assert not sides[0] & sides[2]
    assert not sides[1] & sides[2]
    targets = {tuple(words(text)) for text in song_texts.targets.texts}
    for pairs in song_texts.auxiliary.values():
        assert not targets & {tuple(words(text)) for text in pairs.texts}


def test_song_sizes_are_kept(song_texts):
    assert len(song_texts.targets) == 40
    assert len(song_texts.few_targets) == 12
    assert {name: len(pairs) for name, pairs in song_texts.auxiliary.items()} == {"same": 100, "cross": 80}


def test_the_few_targets_are_of_as_many_documents(song_texts):
    few = song_texts.few_targets
    assert len(set(few.documents)) == 12
    places = [song_texts.targets.texts.index(text) for text in few.texts]
    assert places == sorted(places)
