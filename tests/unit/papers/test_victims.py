import numpy as np
import pytest

from vestige.encoders.bag_of_words import HashingRecipe
from vestige.encoders.saved import save_encoder
from vestige.errors import InputError
from vestige.papers.run import PaperRun
from vestige.papers.victims import (
    MissingModel,
    Victim,
    check_named,
    load_victim,
    load_victims,
    locate_spec,
    spec_at_layer,
)
from vestige.text.corpus import Corpus

TEXTS = Corpus("two", ["the bank closed my account", "congress shall approve the treaty"])


@pytest.fixture
def bert(song_run):
    return load_victim(song_run, "BERT", "minilm@mean")


def test_a_corpus_is_encoded_once(bert):
    assert bert.vectors(TEXTS) is bert.vectors(TEXTS)
    assert bert.vectors(TEXTS).shape == (2, 32)


def test_its_words_are_the_encoders_own(bert):
    assert bert.lengths(TEXTS.texts) == [len(bert.box.word_ids(text)) for text in TEXTS.texts]
    assert "the" in bert.pieces("the bank closed my account")


def test_words_unknown_to_a_dual_encoder_are_dropped():
    corpus = Corpus("some", ["the bank closed my account. the bank answered. nobody knows."] * 8)
    lstm = load_victim(PaperRun(None), "LSTM", "dual:lstm", corpus)
    assert lstm.here == "dual:lstm"
    assert lstm.pieces("the bank zyzzyva") == {"the", "bank"}


def test_a_named_encoder_must_be_available(tmp_path):
    with pytest.raises(InputError, match=r"has no config\.json"):
        load_victim(PaperRun(None, encoders={"BERT": f"hf:{tmp_path}"}), "BERT", "minilm@mean")


@pytest.mark.parametrize("spec", ["hf:granite-30m-english@mean", "static:potion-base-8M"])
def test_a_stand_in_is_never_downloaded(monkeypatch, spec):
    monkeypatch.delenv("VESTIGE_MODELS", raising=False)
    monkeypatch.setattr("vestige.encoders.model_folder.fetch_hub_folder", lambda *_: pytest.fail("the hub was asked"))
    found = load_victim(PaperRun(None), "ALBERT", spec)
    assert isinstance(found, MissingModel)
    assert "VESTIGE_MODELS" in found.reason


def test_a_stand_in_may_be_missing(tmp_path):
    found = load_victim(PaperRun(None), "BERT", f"hf:{tmp_path}@mean")
    assert isinstance(found, MissingModel)
    assert "has no config.json" in found.reason


def test_vectors_of_transformers_are_stored_between_runs(song_run, tmp_path):
    run = PaperRun(song_run.sizes, encoders=song_run.encoders, cache=tmp_path)
    found = load_victim(run, "BERT", "minilm@mean")
    assert isinstance(found, Victim)
    found.vectors(TEXTS)
    assert list(tmp_path.rglob("*.safetensors"))
    assert (load_victim(run, "BERT", "minilm@mean").vectors(TEXTS) == found.vectors(TEXTS)).all()
    assert found.box.layers == 3


def test_models_are_looked_up_in_the_named_folder(checkpoints, monkeypatch):
    monkeypatch.setenv("VESTIGE_MODELS", str(checkpoints["bert"].parent))
    assert locate_spec("hf:bert@mean") == f"hf:{checkpoints['bert']}@mean"
    assert locate_spec("hf:gone@mean") == "hf:gone@mean"
    assert locate_spec("dual:lstm") == "dual:lstm"
    monkeypatch.delenv("VESTIGE_MODELS")
    assert locate_spec("hf:bert@mean") == "hf:bert@mean"


@pytest.mark.encoder
def test_minilm_has_layers():
    assert locate_spec("minilm@mean:3").startswith("hf:")
    assert locate_spec("minilm@mean:3").endswith("@mean:3")


def test_a_layer_replaces_the_readout():
    assert spec_at_layer("minilm@mean", 3) == "minilm@mean:3"
    assert spec_at_layer("hf:folder/bert@cls:7", 0) == "hf:folder/bert@mean:0"
    with pytest.raises(InputError, match="has no layers to choose from"):
        spec_at_layer("dual:lstm", 1)


@pytest.mark.parametrize(
    ("spec", "needs", "said"),
    [
        ("hashing:64", "white box", "'hashing:64' is a black box"),
        ("saved:{folder}", "white box", "is a black box"),
        ("word2vec", "layers", "'word2vec' has no layers to choose from"),
        ("hf:{gone}", "vectors", r"has no config\.json"),
        ("hf:{bert}@mean:9", "vectors", "names layer 9; the model has 3"),
        ("dual:gru", "vectors", "names no architecture"),
    ],
)
def test_what_was_named_is_checked_before_anything_is_trained(tmp_path, checkpoints, spec, needs, said):
    hashing = HashingRecipe(features=16).fit(TEXTS, rng=np.random.default_rng(0))
    save_encoder(hashing, tmp_path / "hashing")
    spec = spec.format(folder=tmp_path / "hashing", gone=tmp_path, bert=checkpoints["bert"])
    with pytest.raises(InputError, match=said):
        check_named(PaperRun(None, encoders={"BERT": spec}), needs)


def test_names_for_the_page_have_no_folder(song_run):
    assert check_named(song_run, "white box") == {
        "LSTM": "saved:lstm",
        "Transformer": "saved:transformer",
        "BERT": "hf:bert@mean",
        "ALBERT": "hf:albert@mean",
    }


def test_the_seed_reaches_encoders_that_learn():
    corpus = Corpus("some", ["the bank closed my account. the bank answered. nobody knows."] * 8)
    zero, one = (load_victim(PaperRun(None, seed=seed), "LSTM", "dual:lstm", corpus).vectors(TEXTS) for seed in (0, 1))
    assert (zero != one).any()


def test_texts_are_sent_only_if_allowed(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    named = {"BERT": "openai:text-embedding-3-small"}
    with pytest.raises(InputError, match=r"would send 4 texts.*nothing was sent; run the same command with --send"):
        load_victims(
            PaperRun(None, encoders=named), {"BERT": "minilm@mean"}, [TEXTS, Corpus("more", ["three", "four"])]
        )
    allowed = load_victims(PaperRun(None, encoders=named, send=True), {"BERT": "minilm@mean"}, [TEXTS])
    assert [target.here for target in allowed.values()] == ["openai:text-embedding-3-small"]
