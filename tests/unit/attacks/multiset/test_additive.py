"""The additive model and greedy decoding, on vectors that are exactly sums."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from vestige.attacks.multiset.additive import (
    AdditiveData,
    AdditiveSettings,
    GreedyDecoder,
    choose_settings,
    fit_additive,
)


def sums(exponent, seed=0, texts=1200, words=25, width=40):
    """Vectors that are exactly sums of contributions, scaled by size, and a little noise."""
    rng = np.random.default_rng(seed)
    columns = (rng.random((texts, words)) < rng.uniform(0.05, 0.6, (texts, 1))).astype(np.float32)
    columns[columns.sum(axis=1) == 0, 0] = 1
    sizes = columns.sum(axis=1).astype(np.int64)
    loud = np.exp(-exponent * (np.log(sizes) - np.log(sizes).mean()))
    truth = rng.normal(size=(words, width))
    vectors = loud[:, None] * (columns @ truth) + rng.normal(scale=0.1, size=(texts, width))
    return AdditiveData(vectors.astype(np.float32), sparse.csr_array(columns), sizes, None), truth


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0])
def test_the_exponent_of_the_encoder_is_found(exponent):
    pairs, _ = sums(exponent)
    train, held_out = pairs.take(np.arange(1000)), pairs.take(np.arange(1000, 1200))
    assert choose_settings(train, held_out, np.random.default_rng(0)).exponent == exponent


def test_a_row_is_as_loud_as_its_size_beside_a_typical_text():
    """By hand: sizes 2 and 8, a typical text of 4. With exponent one half a word counts √(4/2) and √(4/8)."""
    pairs = AdditiveData(np.zeros((2, 1), np.float32), sparse.csr_array(np.eye(2)), np.array([2, 8]), None)
    assert pairs.typical == pytest.approx(np.log(4))
    assert pairs.design(0.5, np.log(4)).toarray() == pytest.approx(np.diag([2**0.5, 2**-0.5]))


def test_held_out_texts_are_scaled_beside_the_texts_that_were_learned_from():
    """An encoder that averages, and held_out-out texts longer than all others."""
    pairs, _ = sums(1.0)
    order = np.argsort(pairs.sizes, kind="stable")
    train, held_out = pairs.take(order[:1000]), pairs.take(order[1000:])
    assert choose_settings(train, held_out, np.random.default_rng(0)).exponent == 1.0


def test_what_a_chosen_word_explains_is_taken_away():
    """Two words with one contribution: each alone explains the vector, so that one is claimed and not both."""
    pairs, _ = sums(0.0, width=150)
    fitted = fit_additive(pairs, AdditiveSettings(0.0, 3.0))
    twins = np.concatenate([fitted.contributions, fitted.contributions[[3]]])
    model = replace(fitted, contributions=twins, log_odds=np.append(fitted.log_odds, fitted.log_odds[3]))
    holds = pairs.columns[:, [3]].toarray().ravel() > 0
    (scores,) = GreedyDecoder(model, 20).scores(pairs.vectors[holds][:100], 1.0, 0.0)
    assert ((scores[:, 3] > 0) ^ (scores[:, 25] > 0)).mean() > 0.95


def test_wide_vocabularies_are_decoded_alike(monkeypatch):
    pairs, _ = sums(0.5)
    model = fit_additive(pairs, AdditiveSettings(0.5, 3.0))
    near = np.concatenate(list(GreedyDecoder(model, 20).scores(pairs.vectors[:150], 0.7, -1.0)))
    monkeypatch.setattr("vestige.attacks.multiset.additive.MOST_COLUMNS", 3)
    far = np.concatenate(list(GreedyDecoder(model, 20).scores(pairs.vectors[:150], 0.7, -1.0)))
    assert near.shape == (150, 25)
    assert np.allclose(near, far, rtol=1e-2, atol=1e-2)
