import json

import numpy as np
import pytest
import torch

from vestige.encoders import sentence_transformer
from vestige.encoders.load import load_encoder
from vestige.encoders.white_box import white_box
from vestige.errors import InputError, MissingExtra


def test_weights_with_another_hash_are_refused(monkeypatch):
    monkeypatch.setattr(sentence_transformer, "MINILM_WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(InputError, match=r"sha256 53aa5117.*reinstall"):
        load_encoder("minilm")


def test_without_the_package_the_hub_is_tried(monkeypatch):
    queried = []

    def hub_folder(name, _family):
        queried.append(name)
        raise InputError("offline")

    monkeypatch.setattr(sentence_transformer, "find_package_folder", lambda _: None)
    monkeypatch.setattr(sentence_transformer, "fetch_hub_folder", hub_folder)
    with pytest.raises(MissingExtra, match=r"pip install '(\.|vestige)\[demo\]'"):
        load_encoder("minilm")
    assert queried == ["sentence-transformers/all-MiniLM-L6-v2"]


def test_minilm_gives_what_sentence_transformers_gives(minilm):
    from sentence_transformers import SentenceTransformer

    texts = ["A short one.", "A somewhat longer sentence about a bank and its fees.", "Third."]
    theirs = SentenceTransformer(str(minilm.folder), device="cpu").encode(texts)
    assert np.allclose(minilm.encode(texts), theirs, atol=1e-6)


def test_a_folder_is_an_encoder_too(minilm):
    by_folder = load_encoder(f"st:{minilm.folder}")
    assert by_folder.identity == minilm.identity
    assert (by_folder.encode(["one"]) == minilm.encode(["one"])).all()


def test_a_folder_that_is_no_model(tmp_path):
    with pytest.raises(InputError, match=r"has no modules.json or config.json"):
        load_encoder(f"st:{tmp_path}")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="does not load as a sentence-transformers model"):
        load_encoder(f"st:{tmp_path}").encode(["one"])


def test_a_pickle_is_never_loaded(tmp_path):
    (tmp_path / "modules.json").write_text("[]")
    (tmp_path / "2_Dense").mkdir()
    (tmp_path / "2_Dense" / "pytorch_model.bin").write_bytes(b"cos\nsystem\n")
    with pytest.raises(InputError, match=r"pytorch_model.bin is a pickle, and pickles are never loaded"):
        load_encoder(f"st:{tmp_path}").encode(["one"])


def test_bf16_is_close_and_has_an_identity_of_its_own(minilm):
    half = load_encoder("minilm", precision="bf16")
    texts = ["The bank closed my account.", "A fee."]
    assert (half.encode(texts) * minilm.encode(texts)).sum(axis=1).min() > 0.997
    assert np.allclose(np.linalg.norm(half.encode(texts), axis=1), 1, atol=1e-5)
    assert half.identity != minilm.identity


TEXT = "the bank closed my account"


def test_on_a_card_sentence_transformers_computes(minilm, monkeypatch):
    on_card = load_encoder("minilm", device="cuda")
    assert on_card.identity != minilm.identity
    monkeypatch.setattr(sentence_transformer, "choose_device", lambda _: torch.device("cpu"))
    texts = ["the bank closed my account", "insulin"]
    np.testing.assert_allclose(on_card.encode(texts), minilm.encode(texts), atol=1e-5)
    assert on_card._bert is None
    with pytest.raises(InputError, match="'cuda', and a white box computes on the processor"):
        on_card.white_box()


def test_a_default_prompt_is_encoded_and_prevents_a_white_box(minilm, tmp_path):
    import shutil

    folder = shutil.copytree(minilm.folder, tmp_path / "prompted")
    settings = folder / "config_sentence_transformers.json"
    prompted = {**json.loads(settings.read_text()), "prompts": {"query": "query: "}, "default_prompt_name": "query"}
    settings.write_text(json.dumps(prompted))
    encoder = load_encoder(f"st:{folder}")
    assert np.allclose(encoder.encode([TEXT]), minilm.encode([f"query: {TEXT}"]), atol=1e-6)
    with pytest.raises(InputError, match="puts 'query: ' before every text"):
        white_box(encoder)
