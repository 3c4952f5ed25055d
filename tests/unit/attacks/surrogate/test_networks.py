from functools import cache

import numpy as np
import pytest
import torch

from tests.conftest import WordSum
from tests.unit.attacks.surrogate.world import EXTERNAL, POOL, TARGETS, WEIGHER, Bent, Scrambled, fitted, ndcg
from vestige.attacks.surrogate.networks import (
    RetrieverTraining,
    discrimination_loss,
    fine_tune_surrogate,
    fit_adversarial_map,
    presence,
    train_retriever,
)
from vestige.attacks.surrogate.queried_pool import QueriedPool, WeighedDocuments
from vestige.attacks.word_decoder import WordDecoder
from vestige.encoders.metered import Metered
from vestige.errors import InputError
from vestige.nn.gradient_reversal import reverse_gradient
from vestige.types import silent


def test_the_published_recipe_reads_too_and_shuffled_answers_read_nothing():
    prior = ndcg(fitted(budget=0))
    settings = {"budget": 200, "recipe": "chen", "external": EXTERNAL, "steps": 250}
    assert ndcg(fitted(**settings)) > prior + 0.15
    assert ndcg(fitted(Scrambled(), **settings)) < prior + 0.05


@cache
def guessed(**setting):
    """What the published recipe reads of the targets in a few steps, a part of it changed."""
    return fitted(budget=60, recipe="chen", external=EXTERNAL, steps=40, **setting).infer(TARGETS).ranked


@pytest.mark.parametrize(
    "setting",
    [
        {"objective": "mse"},
        {"objective": "bce"},
        {"domain_weight": 0},
        {"domain_weight": 1},
        {"adaptation": "none"},
        {"adaptation": "ridge"},
        {"selection": "random"},
    ],
)
def test_each_part_matters(setting):
    assert guessed() == fitted(budget=60, recipe="chen", external=EXTERNAL, steps=40).infer(TARGETS).ranked
    assert guessed(**setting) != guessed()


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_the_feature_extractor_goes_with_the_domain_classifier(weight, monkeypatch):
    """Section 5.0.6.4 takes both away: external vectors reach the decoder of words as they are."""
    weights, far = WEIGHER.weigh(POOL).weights, np.full((40, 64), 100, np.float32)
    known = QueriedPool(
        TARGETS, WeighedDocuments(TARGETS, weights), np.arange(40), TARGETS[:40], WeighedDocuments(far, weights)
    )
    forward, decoded = WordDecoder.forward, []

    def watched(self, vectors):
        if self.words.out_features == weights.shape[1]:
            decoded.append(bool((vectors == 100).all(dim=1).any()))
        return forward(self, vectors)

    monkeypatch.setattr(WordDecoder, "forward", watched)
    train_retriever(
        known, lambda vectors: vectors, RetrieverTraining("listnet", weight, 1), np.random.default_rng(0), silent
    )
    assert any(decoded) == (weight == 0)


def test_without_external_texts_the_pairs_alone_are_learned_from():
    assert fitted(budget=30, recipe="chen", steps=5).queried_.shape == (30,)


def test_the_classifier_of_encoders_brings_a_cloud_nearer():
    """Equation 4.8: of another width, and apart by 0.1 in every column; nothing is taken from pairs."""
    rng = np.random.default_rng(3)
    own, answers = (0.3 * rng.standard_normal((200, width)).astype(np.float32) for width in (5, 8))
    answers += np.float32(0.1)
    carried = fit_adversarial_map(own, answers, 600, rng, silent)(own)
    before = np.linalg.norm(np.pad(own, ((0, 0), (0, 3))).mean(axis=0) - answers.mean(axis=0))
    assert np.linalg.norm(carried.mean(axis=0) - answers.mean(axis=0)) < 0.6 * before


def test_presence_by_hand():
    scores, weights = torch.tensor([[0.0, np.log(3.0)]]), torch.tensor([[0.0, 0.2]])
    assert float(presence(scores, weights)) == pytest.approx(-(np.log(0.5) + np.log(0.75)) / 2, rel=1e-6)


def test_the_loss_of_discrimination_by_hand():
    """Scores as they are given: the ones are to be above 0, the others below."""
    ones, others = torch.tensor([[np.log(3.0)]]), torch.tensor([[0.0]])
    expected = -np.log(0.75) - np.log(0.5)
    assert float(discrimination_loss(torch.nn.Identity(), ones, others)) == pytest.approx(expected, rel=1e-6)


def test_the_extractor_goes_where_the_domain_classifier_errs():
    """Equations 4.11 to 4.13: the classifier's gradient reaches the extractor reversed and times alpha."""
    torch.manual_seed(0)
    extractor, domain = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)
    private, public = torch.randn(6, 4), torch.randn(6, 4)
    discrimination_loss(domain, private, extractor(public)).backward()
    plain = extractor.weight.grad.clone()
    extractor.zero_grad()
    discrimination_loss(domain, private, reverse_gradient(extractor(public), 10.0)).backward()
    assert torch.allclose(extractor.weight.grad, -10 * plain, atol=1e-6)
    before = float(discrimination_loss(domain, private, extractor(public)))
    with torch.no_grad():
        extractor.weight -= 0.01 * extractor.weight.grad
    # A step of the extractor makes the classifier's task harder.
    assert float(discrimination_loss(domain, private, extractor(public))) > before


def test_further_pairs_choose_the_epoch_and_all_queried_ones_are_learned_from():
    encoder = Metered(WordSum())
    attack = fitted(encoder, budget=60, recipe="chen", external=EXTERNAL, steps=20, validation=EXTERNAL[:25])
    assert encoder.spent == 85
    assert "on 25 held-out pairs" in attack.log_.rule
    # 60 pairs are two batches of 32, so that 20 steps are ten epochs.
    assert attack.log_.steps == 10
    without = fitted(budget=60, recipe="chen", external=EXTERNAL, steps=20)
    assert "on 12 held-out pairs" in without.log_.rule
    assert fitted(budget=60).log_ is None


class TrainableWords:
    """Word sums behind a linear map, which is trained."""

    def __init__(self):
        self.map = torch.nn.Linear(Bent().dimension, Bent().dimension, bias=False)
        torch.nn.init.eye_(self.map.weight)
        self.dimension = Bent().dimension

    def parameters(self):
        return self.map.parameters()

    def forward(self, texts):
        return self.map(torch.from_numpy(Bent().encode(texts)))

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        with torch.no_grad():
            return self.forward(texts).numpy()


def test_the_surrogate_itself_is_brought_nearer():
    """Equation 4.8 on the weights of the surrogate: the private cloud is elsewhere by 0.3 in every column."""
    surrogate = TrainableWords()
    own = surrogate.encode(POOL)
    answers = (own[:, ::-1] + np.float32(0.3)).copy()
    before = np.linalg.norm(own.mean(axis=0) - answers.mean(axis=0))
    fine_tune_surrogate(surrogate, POOL, answers, 200, np.random.default_rng(0), silent)
    after = np.linalg.norm(surrogate.encode(POOL).mean(axis=0) - answers.mean(axis=0))
    assert after < before


def test_only_an_encoder_that_can_be_trained_is_fine_tuned(monkeypatch):
    settings = {"budget": 20, "recipe": "chen", "adaptation": "fine-tuned", "external": EXTERNAL, "steps": 5}
    with pytest.raises(InputError, match="cannot be trained here; give a Hugging Face encoder"):
        fitted(**settings)
    made = []

    def copy(_self):
        made.append(TrainableWords())
        return made[-1]

    monkeypatch.setattr(Bent, "copy_trainable", copy, raising=False)
    fitted(**settings, tuning_steps=3)
    assert not torch.equal(made[0].map.weight, torch.eye(made[0].dimension))
