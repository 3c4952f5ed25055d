import json

import numpy as np
import pytest
from safetensors.numpy import load

from vestige.encoders.bag_of_words import Hashing, TfidfRecipe
from vestige.encoders.fitted import EncoderState
from vestige.encoders.load import load_encoder
from vestige.encoders.saved import _compute_digest, save_encoder
from vestige.errors import InputError


@pytest.fixture
def saved(corpus, tmp_path):
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
            "is not of format vestige-encoder-2",
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
    written = json.loads((saved / "encoder.json").read_text())
    del written["settings"]["words"]
    tensors = load((saved / "encoder.safetensors").read_bytes())
    written["sha256"] = _compute_digest(written["family"], EncoderState(written["settings"], tensors))
    (saved / "encoder.json").write_text(json.dumps(written))
    with pytest.raises(InputError, match=r"does not hold a complete encoder .'words'.; train it again"):
        load_encoder(f"saved:{saved}")


def test_no_changed_byte_changes_a_vector(saved):
    """Of mutations of both files, every one that is accepted gives the vectors that were saved."""
    texts = ["the bank took my money", "a loan", "my account"]
    expected = load_encoder(f"saved:{saved}").encode(texts).tobytes()
    rng, refused = np.random.default_rng(0), 0
    for name in ("encoder.json", "encoder.safetensors"):
        whole = (saved / name).read_bytes()
        for place in rng.integers(len(whole), size=60).tolist():
            (saved / name).write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
            try:
                assert load_encoder(f"saved:{saved}").encode(texts).tobytes() == expected
            except InputError:
                refused += 1
        (saved / name).write_bytes(whole)
    assert refused > 60
