from itertools import product

import numpy as np
import pytest
import torch
from scipy import sparse

from vestige.attacks import decoder
from vestige.attacks.decoder import DecoderInverter
from vestige.attacks.decoder_network import RESERVED
from vestige.attacks.priors import FixedText
from vestige.errors import InputError
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import tokenize

NOUNS, VERBS, PLACES = ("cat", "dog", "owl", "fox"), ("sleeps", "runs", "sings"), ("home", "outside")


TEXTS = [f"the {noun} {verb} at {place}." for noun in NOUNS for verb in VERBS for place in PLACES]


VECTORS = np.random.default_rng(0).normal(size=(len(TEXTS), 16)).astype(np.float32)


def fit(recipe="default", epochs=60, seed=0, vectors=VECTORS):
    return DecoderInverter(recipe=recipe, epochs=epochs).fit(vectors, TEXTS, rng=np.random.default_rng(seed))


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


def slots(seed=0):
    """Sentences of three free words; a vector is the sum of one random vector a word, so that it tells them all."""
    rng = np.random.default_rng(seed)
    kinds = [("cat", "dog", "owl", "fox", "hen", "cow"), ("sleeps", "runs", "sings", "hides", "waits")]
    kinds.append(("home", "outside", "sea", "night"))
    code = {word: rng.normal(size=24) for kind in kinds for word in kind}
    chosen = [list(product(*kinds))[row] for row in rng.permutation(120)]
    vectors = np.array([sum(code[word] for word in words) for words in chosen], np.float32)
    return vectors, chosen, [f"the {a} {b} at {c}." for a, b, c in chosen]


def test_it_writes_sentences_it_never_met():
    """Ninety of 120 are taught. Fitted on shuffled pairs, it writes no more of the words than one fixed text has."""
    vectors, chosen, texts = slots()

    def reads(attack):
        written = [tokenize(text) for text in attack.infer(vectors[90:]).texts]
        return np.mean([word in text for text, words in zip(written, chosen[90:], strict=True) for word in words])

    def taught(seen):
        return reads(DecoderInverter(epochs=25).fit(seen, texts[:90], rng=np.random.default_rng(0)))

    prior = reads(FixedText().fit(texts[:90], rng=np.random.default_rng(0)))
    assert taught(vectors[:90]) > 0.9
    assert prior < 0.3
    assert taught(np.random.default_rng(1).permutation(vectors[:90])) < prior + 0.1


def test_every_token_may_be_drawn():
    attack = DecoderInverter()
    attack.vocabulary_ = Vocabulary(tuple(map(str, range(3000))), (1,) * 3000)
    rng = np.random.default_rng(0)
    drawn = torch.cat([attack._negatives(rng) for _ in range(60)])
    assert drawn.unique().tolist() == list(range(3000 + RESERVED))


def test_gradients_are_clipped_in_the_default_alone(monkeypatch):
    def clipped(*_):
        raise RuntimeError("clipped")

    monkeypatch.setattr(torch.nn.utils, "clip_grad_norm_", clipped)
    fit("pan", epochs=1)
    with pytest.raises(RuntimeError, match="clipped"):
        fit("default", epochs=1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"recipe": "pans"}, "'recipe' parameter must be"),
        ({"epochs": 0}, "'epochs' parameter must be at least 1"),
        ({"vocabulary_size": 0}, "'vocabulary_size' parameter must be at least 1"),
    ],
)
def test_what_cannot_be_fitted_is_said(settings, message):
    with pytest.raises(InputError, match=message):
        DecoderInverter(**settings).fit(VECTORS, TEXTS, rng=np.random.default_rng(0))


def test_of_a_sparse_table_the_default_takes_the_columns_in_use():
    wide = sparse.csr_array(np.hstack([np.zeros((len(VECTORS), 5), "f4"), VECTORS]))
    dense, thin = fit(epochs=2), fit(epochs=2, vectors=wide)
    assert thin.losses_ == dense.losses_
    assert thin.infer(wide).texts == dense.infer(VECTORS).texts
    with pytest.raises(InputError, match="takes a dense one"):
        fit("pan", epochs=1, vectors=wide)
    with pytest.raises(InputError, match="21 columns"):
        thin.infer(VECTORS)


def test_the_device_is_checked():
    with pytest.raises(InputError, match="'device' parameter must be"):
        DecoderInverter(device="tpu").fit(VECTORS, TEXTS, rng=np.random.default_rng(0))
