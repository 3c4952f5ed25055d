"""A secret that was planted often is found; one that was not is where chance puts it."""

import numpy as np
import pytest

from tests.conftest import toy_corpus
from vestige.attacks.membership.canary import SecretRanking
from vestige.encoders.words.word2vec import Word2VecRecipe
from vestige.encoders.words.word_mean import WordMean
from vestige.errors import InputError, NotFitted
from vestige.metrics.exposure import exposure, rank_among
from vestige.text.canaries import SecretSpace, make_canaries, plant
from vestige.text.patterns import load_pattern
from vestige.types import SecretGuesses

pytest.importorskip("gensim")

WORDS = {"ann": [1, 0, 0], "bob": [0, 1, 0], "red": [4, 3, 0], "blue": [0, 2, 0], "green": [0, 0, 5]}
BY_HAND = WordMean("by-hand", list(WORDS), np.array(list(WORDS.values()), np.float32))
PATTERN = load_pattern("pass-phrase")


def test_scores_by_hand():
    ranking = SecretRanking(recipe="similarity").fit(["red", "blue", "green"], encoder=BY_HAND)
    guesses = ranking.infer(["ann", "bob"])
    assert isinstance(guesses, SecretGuesses)
    assert guesses.candidates == ("red", "blue", "green")
    assert guesses.scores == pytest.approx(np.array([[0.8, 0, 0], [0.6, 1, 0]]), abs=1e-6)


def test_what_every_owner_scores_is_taken_off_by_hand():
    # The usual prompt is (0.5, 0.5, 0), with which red scores 0.7 and blue 0.5.
    ranking = SecretRanking().fit(["red", "blue", "green"], encoder=BY_HAND, references=["ann", "bob"])
    expected = [[0.8 - 0.7, -0.5, 0], [0.6 - 0.7, 0.5, 0]]
    assert ranking.infer(["ann", "bob"]).scores == pytest.approx(np.array(expected), abs=1e-6)


@pytest.fixture(scope="module")
def planted():
    canaries = make_canaries(PATTERN, 12, np.random.default_rng(0))
    corpus = plant(toy_corpus(80), canaries, [40] * 12, np.random.default_rng(1))
    return canaries, Word2VecRecipe(min_count=1, dimension=30, epochs=40).fit(corpus, rng=np.random.default_rng(2))


def mean_exposure(encoder, canaries, secrets):
    space = SecretSpace.build(PATTERN)
    candidates = space.decode(range(space.size))
    prompts = [canary.prompt for canary in canaries]
    scores = SecretRanking().fit(candidates, encoder=encoder, references=prompts).infer(prompts).scores
    places = [candidates.index(secret) for secret in secrets]
    ranks = [rank_among(row[place], np.delete(row, place)) for row, place in zip(scores, places, strict=True)]
    return np.mean([exposure(rank, scored=space.size, space=space.size).bits.value for rank in ranks])


def test_a_planted_secret_is_exposed_and_others_are_not(planted):
    canaries, encoder = planted
    assert mean_exposure(encoder, canaries, [canary.secret for canary in canaries]) > 6
    others = SecretSpace.build(PATTERN).draw(12, np.random.default_rng(3))
    assert mean_exposure(encoder, canaries, others) < 3


def test_the_secret_of_another_owner_is_not_this_one_s(planted):
    canaries, encoder = planted
    assert mean_exposure(encoder, canaries, [canary.secret for canary in canaries[::-1]]) < 3


def test_what_it_cannot_use_is_refused():
    with pytest.raises(InputError, match="3 candidates, 2 different"):
        SecretRanking().fit(["red", "red", "blue"], encoder=BY_HAND, references=["ann"])
    with pytest.raises(InputError, match="needs the prompts of other owners"):
        SecretRanking().fit(["red", "blue"], encoder=BY_HAND)
    with pytest.raises(InputError, match="'default' or 'similarity'"):
        SecretRanking(recipe="plain").fit(["red", "blue"], encoder=BY_HAND)
    with pytest.raises(NotFitted, match="fit"):
        SecretRanking().infer(["ann"])
