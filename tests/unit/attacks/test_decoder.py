import numpy as np
import pytest
import torch

from vestige.attacks import decoder
from vestige.attacks.decoder import DecoderInverter
from vestige.attacks.decoder_network import OneWay, token_loss
from vestige.errors import InputError, NotFitted
from vestige.types import TextGuesses

NOUNS, VERBS, PLACES = ("cat", "dog", "owl", "fox"), ("sleeps", "runs", "sings"), ("home", "outside")
TEXTS = [f"the {noun} {verb} at {place}." for noun in NOUNS for verb in VERBS for place in PLACES]
VECTORS = np.random.default_rng(0).normal(size=(len(TEXTS), 16)).astype(np.float32)


def fit(recipe="default", epochs=60, seed=0, vectors=VECTORS):
    return DecoderInverter(recipe=recipe, epochs=epochs).fit(vectors, TEXTS, rng=np.random.default_rng(seed))


def test_it_writes_what_it_was_taught():
    assert fit().infer(VECTORS) == TextGuesses(TEXTS)


def test_both_ways_the_loss_falls_without_any_vector(monkeypatch):
    """Vectors of zeros tell nothing. The published decoder is taught to the end all the same: it reads the answer.

    From left to right the loss stops at what cannot be known: which of 24 sentences it is, over 7 tokens.
    """
    monkeypatch.setitem(decoder._RATES, "pan", 1e-2)
    nothing = np.zeros_like(VECTORS)
    both, one = (fit(recipe, epochs=120, vectors=nothing) for recipe in ("pan", "default"))
    assert both.losses_[-1] < 0.1
    assert one.losses_[-1] > 0.9 * np.log(24) / 7


def test_both_ways_it_writes_less_than_it_was_taught(monkeypatch):
    monkeypatch.setitem(decoder._RATES, "pan", 1e-2)
    attack = fit("pan", epochs=80)
    right = np.mean([guess == text for guess, text in zip(attack.infer(VECTORS).texts, TEXTS, strict=True)])
    assert attack.losses_[-1] < 0.1
    assert right < 0.5


def test_the_same_seed_gives_the_same_texts():
    first, second = (fit(epochs=3, seed=7).infer(VECTORS) for _ in range(2))
    assert first == second


def test_a_text_depends_on_its_own_vector_alone():
    attack = fit(epochs=10)
    together = attack.infer(VECTORS).texts
    assert attack.infer(VECTORS[::-1]).texts == together[::-1]
    assert attack.infer(VECTORS[5:6]).texts == together[5:6]
    assert attack.infer(VECTORS[:0]) == TextGuesses([])


def test_with_every_other_token_drawn_the_sampled_loss_is_the_whole():
    torch.manual_seed(0)
    network = OneWay(4, 30, 8, 0.0)
    sentences, vectors = torch.tensor([[1, 5, 6, 2], [1, 7, 2, 0]]), torch.randn(2, 4)
    whole = token_loss(network, vectors, sentences, None)
    assert token_loss(network, vectors, sentences, torch.arange(30)).item() == pytest.approx(whole.item(), rel=1e-5)


def test_padding_does_not_count():
    torch.manual_seed(0)
    network, vectors = OneWay(4, 30, 8, 0.0), torch.randn(1, 4)
    short, padded = torch.tensor([[1, 5, 2]]), torch.tensor([[1, 5, 2, 0, 0]])
    losses = [token_loss(network, vectors, each, None).item() for each in (short, padded)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


@pytest.mark.parametrize(
    ("count", "settings", "message"),
    [
        (23, {}, "24 vectors but 23 texts"),
        (24, {"recipe": "pans"}, "'recipe' parameter must be"),
        (24, {"epochs": 0}, "'epochs' parameter must be at least 1"),
    ],
)
def test_what_cannot_be_fitted_is_said(count, settings, message):
    with pytest.raises(InputError, match=message):
        DecoderInverter(**settings).fit(VECTORS, TEXTS[:count], rng=np.random.default_rng(0))


def test_infer_before_fit_says_so():
    with pytest.raises(NotFitted, match="fit"):
        DecoderInverter().infer(VECTORS)
