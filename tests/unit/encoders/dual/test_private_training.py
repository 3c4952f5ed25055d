"""Private training: the gradient of a document is bounded, the noise is right, and something is learned."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
import torch

from tests.unit.encoders.dual.conftest import SMALL, mean_reciprocal_rank, scatter_sentences, topical
from vestige.encoders.dual.private_training import (
    PrivateRecipe,
    account,
    contrast,
    select_weights,
    sum_clipped,
    train_privately,
)
from vestige.encoders.fitted import LearnedEncoder
from vestige.errors import InputError
from vestige.text.corpus import Corpus

BASE = replace(SMALL["lstm"], dimension=16, epochs=1)


def private(epsilon: float, public: Corpus, **changed) -> PrivateRecipe:
    settings = {"batch": 10, "passes": 1, "negatives": 8, "noise_seed": 0, **changed}
    return PrivateRecipe(epsilon, BASE, public, **settings)


def test_clipped_gradients_are_summed_by_hand():
    """(3, 4) has length 5 and is shortened to 1; (0.3, 0.4) has length 0.5 and stays."""
    gradients = [torch.tensor([3.0, 4.0]), torch.tensor([0.3, 0.4])]
    assert sum_clipped(iter(gradients), 1.0).tolist() == pytest.approx([0.9, 1.2])
    assert sum_clipped(iter([]), 1.0) is None


def test_the_loss_of_a_document_by_hand():
    """One anchor (1, 0) with the next sentence (2, 0), against the negatives (0, 5) and (1, 0): products 2, 0 and 1."""
    vectors, negatives = torch.tensor([[1.0, 0.0], [2.0, 0.0]]), torch.tensor([[0.0, 5.0], [1.0, 0.0]])
    assert contrast(vectors, negatives).item() == pytest.approx(-2 + np.log(np.exp(2) + 1 + np.exp(1)), rel=1e-6)


def test_the_accountant_agrees_with_a_single_gaussian():
    """One step on all documents is the Gaussian mechanism. RDP gives min over a of a/(2 s²) + ln(1/d)/(a-1) at most."""
    noise, spent = account(2.0, 1e-5, 1.0, 1)
    bound = min(a / (2 * noise**2) + np.log(1e5) / (a - 1) for a in np.arange(1.1, 60, 0.1))
    assert spent <= 2.0
    assert spent == pytest.approx(bound, rel=0.15)
    assert spent <= bound


def test_private_text_changes_biases_alone_and_by_less_than_the_noise_allows():
    public, secret = topical(20, 0), topical(20, 1)
    start = BASE.fit(public, rng=np.random.default_rng(0))
    fitted = private(4.0, public).fit(secret, rng=np.random.default_rng(0))
    changed = {
        name
        for name, weight in fitted.network.state_dict().items()
        if not torch.equal(weight, start.network.state_dict()[name])
    }
    assert changed == {"layers.0.bias_ih_l0", "layers.0.bias_hh_l0", "norm.weight", "norm.bias"}
    assert fitted.recipe["privacy"]["epsilon"] <= 4.0
    assert fitted.recipe["privacy"]["unit"] == "document"
    assert fitted.log.curve == ()
    again = private(4.0, public).fit(secret, rng=np.random.default_rng(0))
    assert (again.encode(secret.texts) == fitted.encode(secret.texts)).all()
    assert len(select_weights(start.network, "layers")) == 6
    assert len(select_weights(start.network, "all")) == 7


@pytest.mark.slow
def test_without_noise_private_text_is_learned_and_a_small_epsilon_learns_less():
    """The positive control: public text has the words, but no two sentences that belong together."""
    public, secret, held_out = scatter_sentences(topical(60, 0), 5), topical(120, 1), topical(60, 2)
    settings = {"trained": "layers", "passes": 6, "batch": 30, "learning_rate": 1e-2}
    start = mean_reciprocal_rank(BASE.fit(public, rng=np.random.default_rng(0)), held_out)
    free, bound = (
        mean_reciprocal_rank(private(epsilon, public, **settings).fit(secret, rng=np.random.default_rng(0)), held_out)
        for epsilon in (inf, 0.5)
    )
    assert start < 0.12
    assert free > start + 0.15
    assert bound < free - 0.1


def test_bad_settings_are_refused():
    public = topical(10, 0)
    with pytest.raises(InputError, match="'epsilon' parameter must be above 0"):
        private(0.0, public)
    with pytest.raises(InputError, match="give a smaller one with --dp-delta"):
        replace(private(1.0, public), delta=0.1).plan(100)
    with pytest.raises(InputError, match="with privacy or against an adversary"):
        PrivateRecipe(1.0, replace(BASE, against_words=1.0), public)
    with pytest.raises(InputError, match="cannot be trained with differential privacy"):
        train_privately(LearnedEncoder("tfidf", object(), public), public, epsilon=1.0)  # type: ignore[arg-type]
