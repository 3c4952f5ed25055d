from functools import cache

import numpy as np
import pytest

from tests.unit.attacks.surrogate.world import EXTERNAL, POOL, TARGETS, WEIGHER, Scrambled, fitted, ndcg
from vestige.attacks.surrogate.knowledge import Documents, Knowledge
from vestige.attacks.surrogate.retrieval import retrieval
from vestige.attacks.word_decoder import Decoder
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
    known = Knowledge(TARGETS, Documents(TARGETS, weights), np.arange(40), TARGETS[:40], Documents(far, weights))
    forward, decoded = Decoder.forward, []

    def watched(self, vectors):
        if self.words.out_features == weights.shape[1]:
            decoded.append(bool((vectors == 100).all()))
        return forward(self, vectors)

    monkeypatch.setattr(Decoder, "forward", watched)
    retrieval(known, lambda vectors: vectors, "listnet", weight, 1, np.random.default_rng(0), silent)
    assert any(decoded) == (weight == 0)


def test_without_external_texts_the_pairs_alone_are_learned_from():
    assert fitted(budget=30, recipe="chen", steps=5).queried_.shape == (30,)
