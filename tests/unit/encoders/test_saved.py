import json

import pytest

from vestige.encoders.bag_of_words import Hashing, TfidfRecipe
from vestige.encoders.load import load_encoder
from vestige.encoders.saved import save_encoder
from vestige.errors import InputError


@pytest.fixture
def kept(corpus, tmp_path):
    import numpy as np

    save_encoder(TfidfRecipe().fit(corpus, rng=np.random.default_rng(0)), tmp_path / "kept")
    return tmp_path / "kept"


def test_a_folder_is_written_whole_and_for_its_owner_alone(kept):
    assert sorted(path.name for path in kept.iterdir()) == ["encoder.json", "encoder.safetensors"]
    assert {path.stat().st_mode & 0o777 for path in kept.iterdir()} == {0o600}


def test_a_folder_that_is_there_is_not_written_over(kept):
    with pytest.raises(InputError, match="is there already; name a folder that is not"):
        save_encoder(Hashing(8), kept)


def test_a_write_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        save_encoder(Hashing(8), tmp_path / "kept")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda kept: (kept / "encoder.json").write_text("{"), "is damaged .* train the encoder again"),
        (lambda kept: (kept / "encoder.json").write_text('{"format": "other"}'), "is not of format vestige-encoder-1"),
        (lambda kept: (kept / "encoder.safetensors").write_bytes(b"x"), "is damaged"),
        (lambda kept: (kept / "encoder.safetensors").unlink(), "is damaged"),
        (lambda kept: (kept / "encoder.json").unlink(), "has no encoder.json"),
    ],
)
def test_damage_is_named(kept, change, message):
    change(kept)
    with pytest.raises(InputError, match=message):
        load_encoder(f"saved:{kept}")


def test_settings_that_lack_a_word(kept):
    written = json.loads((kept / "encoder.json").read_text())
    del written["settings"]["words"]
    (kept / "encoder.json").write_text(json.dumps(written))
    with pytest.raises(InputError, match=r"does not hold what it should .'words'.; train the encoder again"):
        load_encoder(f"saved:{kept}")
