import json

import pytest

from vestige.encoders.bag_of_words import Hashing, TfidfRecipe
from vestige.encoders.load import load_encoder
from vestige.encoders.saved import save_encoder
from vestige.errors import InputError


@pytest.fixture
def saved(corpus, tmp_path):
    import numpy as np

    save_encoder(TfidfRecipe().fit(corpus, rng=np.random.default_rng(0)), tmp_path / "saved")
    return tmp_path / "saved"


def test_a_folder_is_complete_and_readable_by_its_owner_only(saved):
    assert sorted(path.name for path in saved.iterdir()) == ["encoder.json", "encoder.safetensors"]
    assert {path.stat().st_mode & 0o777 for path in saved.iterdir()} == {0o600}


def test_an_existing_folder_is_not_overwritten(saved):
    with pytest.raises(InputError, match="already exists; name a new folder"):
        save_encoder(Hashing(8), saved)


def test_a_write_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        save_encoder(Hashing(8), tmp_path / "saved")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / "encoder.json").write_text("{"), "is damaged .* train the encoder again"),
        (
            lambda saved: (saved / "encoder.json").write_text('{"format": "other"}'),
            "is not of format vestige-encoder-1",
        ),
        (lambda folder: (folder / "encoder.safetensors").write_bytes(b"x"), "is damaged"),
        (lambda folder: (folder / "encoder.safetensors").unlink(), "is damaged"),
        (lambda folder: (folder / "encoder.json").unlink(), "has no encoder.json"),
    ],
)
def test_damage_is_named(saved, change, message):
    change(saved)
    with pytest.raises(InputError, match=message):
        load_encoder(f"saved:{saved}")


def test_settings_that_lack_a_key(saved):
    settings = json.loads((saved / "encoder.json").read_text())
    del settings["settings"]["words"]
    (saved / "encoder.json").write_text(json.dumps(settings))
    with pytest.raises(InputError, match=r"does not hold a complete encoder .'words'.; train it again"):
        load_encoder(f"saved:{saved}")
