"""Sentence-BERT on a tiny random transformer."""

import numpy as np
import pytest
import torch

from tests.tiny_models import tiny_checkpoint
from vestige.encoders.load import load_encoder
from vestige.encoders.sentence_bert import SentenceBertRecipe, SimilarPair, _embed, _loss, correlate
from vestige.errors import InputError

BANK, LAW = (
    ["the bank closed my account", "my account", "the bank"],
    ["congress shall approve", "the treaty", "nations"],
)


def pairs(count, seed):
    """Two sentences on one subject have similarity 1, on two subjects 0."""
    rng = np.random.default_rng(seed)
    return [
        SimilarPair(str(rng.choice(BANK)), str(rng.choice(BANK if same else LAW)), float(same))
        for same in rng.integers(2, size=count)
    ]


@pytest.fixture
def folder(tmp_path):
    return tiny_checkpoint("bert", tmp_path / "base")


def test_similar_sentences_become_similar_and_the_result_is_an_encoder(folder, tmp_path):
    recipe = SentenceBertRecipe(epochs=8, learning_rate=1e-3, watch=10)
    log = recipe.fine_tune(str(folder), pairs(120, 0), pairs(40, 1), tmp_path / "tuned", rng=np.random.default_rng(0))
    before, after = (correlate(load_encoder(f"hf:{place}"), pairs(40, 2)) for place in (folder, tmp_path / "tuned"))
    assert after > max(0.7, before)
    assert log.curve[0][0] == 0
    assert log.steps == 64
    assert list((tmp_path / "tuned").glob("*.safetensors"))


def test_the_same_seed_gives_the_same_bytes(folder, tmp_path):
    recipe = SentenceBertRecipe(epochs=1, learning_rate=1e-3)
    for name in ("one", "two"):
        recipe.fine_tune(str(folder), pairs(30, 0), pairs(10, 1), tmp_path / name, rng=np.random.default_rng(5))
    one, two = (load_encoder(f"hf:{tmp_path / name}").encode(BANK) for name in ("one", "two"))
    assert (one == two).all()


def test_the_loss_by_hand_and_padding_does_not_count(folder):
    encoder = load_encoder(f"hf:{folder}")
    some = [SimilarPair(BANK[0], BANK[1], 1.0), SimilarPair(BANK[1], LAW[0], 0.25)]
    first, second = (encoder.encode([getattr(one, side) for one in some]) for side in ("first", "second"))
    cosines = (first * second).sum(axis=1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    expected = ((cosines - [1, 0.25]) ** 2).mean()
    with torch.no_grad():
        assert _loss(encoder, some).item() == pytest.approx(expected, rel=1e-4)
        assert _embed(encoder, BANK).numpy() == pytest.approx(encoder.encode(BANK), abs=1e-5)


def test_the_settings_are_those_of_the_thesis():
    recipe = SentenceBertRecipe()
    assert (recipe.epochs, recipe.batch, recipe.learning_rate, recipe.watch) == (4, 16, 2e-5, 500)
    assert [recipe.rate(step, 100) for step in (1, 10, 55, 100)] == pytest.approx([2e-6, 2e-5, 1e-5, 0])


@pytest.mark.parametrize(
    ("given", "held", "message"),
    [
        ([], pairs(4, 0), "got 0 pairs and 4 held-out ones"),
        ([SimilarPair("a", "b", 4.0)], pairs(4, 0), "a similarity is 4, expected numbers from 0 to 1; divide"),
    ],
)
def test_pairs_that_make_no_sense_are_refused(given, held, message, folder, tmp_path):
    with pytest.raises(InputError, match=message):
        SentenceBertRecipe().fine_tune(str(folder), given, held, tmp_path / "out", rng=np.random.default_rng(0))
    with pytest.raises(InputError, match="already exists"):
        SentenceBertRecipe().fine_tune(str(folder), pairs(4, 0), pairs(4, 1), folder, rng=np.random.default_rng(0))
