"""Exposure of planted secrets: what was planted often is exposed, and nothing else is."""

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum
from tests.unit.audit.test_canaries import planted
from vestige.audit.canary_exposure import SecretPrompt, rank_secrets
from vestige.encoders.words.word2vec import Word2VecRecipe
from vestige.encoders.words.word_mean import WordMean
from vestige.errors import InputError
from vestige.text.canaries import SecretSpace
from vestige.text.patterns import load_pattern


def trained(corpus):
    return Word2VecRecipe(min_count=1, dimension=30, epochs=10).fit(corpus, rng=np.random.default_rng(2))


def test_a_query_ends_before_the_sentence_of_the_secret():
    prompt = SecretPrompt.fit(SecretSpace.build(load_pattern("pass-phrase")))
    assert prompt.build_query("This is the safe of bcdfgh. It opens with ") == "This is the safe of bcdfgh."
    assert prompt.build_candidate("red tiger paris") == "It opens with red tiger paris."
    prompt = SecretPrompt.fit(SecretSpace.build(load_pattern("order-number")))
    assert prompt.build_query("where is my order AB-") == "where is my order AB-"
    assert prompt.build_candidate("123456") == "-123456?"


def test_ranks_by_hand(monkeypatch):
    # Less the mean of the owners, ann points to (1, -1): ash scores 1, elm 0, oak -1; bob the opposite.
    vectors = {"ann": [1, 0], "bob": [0, 1], "ash": [1, 0], "elm": [1, 1], "oak": [0, 1], "fir": [0, 2]}
    encoder = WordMean("by-hand", list(vectors), np.array(list(vectors.values()), np.float32))
    secrets, candidates = [("ash", "oak"), ("oak", "elm")], ["oak", "ash", "elm", "fir"]
    expected = [[1, 4], [2, 3]]  # oak and fir score the same: each stands behind the other
    template = SecretPrompt(0, "", "")
    assert rank_secrets(encoder, template, ["ann", "bob"], secrets, candidates).tolist() == expected
    monkeypatch.setattr("vestige.audit.canary_exposure.BLOCK", 3)
    assert rank_secrets(encoder, template, ["ann", "bob"], secrets, candidates).tolist() == expected
    # Those that are not among the candidates are ranked with them.
    assert rank_secrets(encoder, template, ["ann", "bob"], secrets, ["elm"]).tolist() == [[1, 2], [1, 1]]


@pytest.fixture(scope="module")
def planted_encoder():
    pytest.importorskip("gensim")
    made = planted()
    return made.key, trained(made.corpus)


def test_exposure_rises_with_repetitions_and_the_controls_stay(planted_encoder):
    key, encoder = planted_encoder
    result = vestige.canary_exposure(encoder, key)
    none, *_, many = result.by_times
    assert (result.space, result.scored, result.bits, result.provable) == (4096, 4096, 12, 12)
    assert many.exposed
    assert not none.exposed
    values = [group.own.value for group in result.by_times]
    assert values == sorted(values)
    assert values[0] < 2.5 < 9 < values[-1]
    assert all(group.others.value < 3.5 for group in result.by_times)
    # By chance an exposure is about exponential: mean and standard deviation are log2(e).
    never = np.mean([group.never.value for group in result.by_times])
    assert abs(never - result.baseline) < 3 * np.log2(np.e) / np.sqrt(40)
    assert result == vestige.canary_exposure(encoder, key)


def test_an_encoder_trained_on_other_canaries_exposes_nothing(planted_encoder):
    _, encoder = planted_encoder
    assert not any(group.exposed for group in vestige.canary_exposure(encoder, planted(seed=1).key).by_times)
    assert not any(group.exposed for group in vestige.canary_exposure(WordSum(), planted().key).by_times)


def test_a_sample_proves_less_and_does_not_contradict(planted_encoder):
    key, encoder = planted_encoder
    whole, sampled = (vestige.canary_exposure(encoder, key, candidates=count) for count in (4096, 1000))
    assert (sampled.scored, whole.scored) == (1001, 4096)
    assert sampled.provable < whole.provable
    for part, full in zip(sampled.by_times, whole.by_times, strict=True):
        assert part.own.low < full.own.value < part.own.high
        assert part.own.high - part.own.low > full.own.high - full.own.low


def test_too_few_candidates_are_refused():
    with pytest.raises(InputError, match="99 candidates prove nothing"):
        vestige.canary_exposure(WordSum(), planted().key, candidates=99)
