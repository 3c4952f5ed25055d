"""Canaries from planting to ranks: what was planted often is found, and nothing else is."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from vestige.audit.canary_key import key_bytes, read_key
from vestige.audit.canary_ranks import Question, ranks
from vestige.encoders.words.word2vec import Word2VecRecipe
from vestige.encoders.words.word_mean import WordMean
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.text.secrets import SecretSpace

TIMES = (0, 2, 8, 32)


def planted(pattern="pass-phrase", seed=0):
    return vestige.plant_canaries(toy_corpus(80), pattern, times=TIMES, each=10, seed=seed)


def trained(corpus):
    return Word2VecRecipe(min_count=1, dimension=30, epochs=10).fit(corpus, rng=np.random.default_rng(2))


def test_the_texts_hold_what_the_key_says():
    made = planted()
    texts = Counter(text for text in made.corpus.texts if "It opens with" in text)
    for secret in made.key.secrets:
        assert texts[f"{secret.prompt}{secret.secret}."] == secret.times
        assert not any(secret.never in text for text in texts)
    assert Counter(secret.times for secret in made.key.secrets) == dict.fromkeys(TIMES, 10)
    assert len({secret.never for secret in made.key.secrets} | {secret.secret for secret in made.key.secrets}) == 80
    assert made == planted() != planted(seed=1)


@pytest.mark.parametrize("pattern", ["pass-phrase", "citizen-id", "phone-number"])
def test_a_key_comes_back_whole(pattern, tmp_path):
    key = planted(pattern).key
    (tmp_path / "key.json").write_bytes(key_bytes(key))
    assert read_key(tmp_path / "key.json") == key


def test_a_key_that_is_not_as_written_is_refused(tmp_path):
    path = tmp_path / "key.json"
    with pytest.raises(InputError, match="is not there"):
        read_key(path)
    whole = key_bytes(planted().key)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="cut short or is no JSON"):
        read_key(path)
    path.write_bytes(whole.replace(b"vestige-canaries-1", b"vestige-canaries-9"))
    with pytest.raises(InputError, match="of format vestige-canaries-9, this version reads vestige-canaries-1"):
        read_key(path)
    path.write_bytes(whole.replace(b'"times": 32', b'"times": 33', 1))
    with pytest.raises(InputError, match="was changed after it was written"):
        read_key(path)
    path.write_text(json.dumps([1]))
    with pytest.raises(InputError, match="of format unknown"):
        read_key(path)


def test_the_sentence_that_tells_the_secret_is_parted_from_the_owner():
    question = Question.of(SecretSpace.of(load_pattern("pass-phrase")))
    assert question.asked("This is the safe of bcdfgh. It opens with ") == "This is the safe of bcdfgh."
    assert question.told("red tiger paris") == "It opens with red tiger paris."
    question = Question.of(SecretSpace.of(load_pattern("order-number")))
    assert question.asked("where is my order AB-") == "where is my order AB-"
    assert question.told("123456") == "-123456?"


def test_ranks_by_hand(monkeypatch):
    # Less the mean of the owners, ann points to (1, -1): ash scores 1, elm 0, oak -1; bob the other way round.
    vectors = {"ann": [1, 0], "bob": [0, 1], "ash": [1, 0], "elm": [1, 1], "oak": [0, 1], "fir": [0, 2]}
    encoder = WordMean("by-hand", list(vectors), np.array(list(vectors.values()), np.float32))
    secrets, candidates = [("ash", "oak"), ("oak", "elm")], ["oak", "ash", "elm", "fir"]
    expected = [[1, 4], [2, 3]]  # oak and fir score the same: each stands behind the other
    question = Question(0, "", "")
    assert ranks(encoder, question, ["ann", "bob"], secrets, candidates).tolist() == expected
    monkeypatch.setattr("vestige.audit.canary_ranks.BLOCK", 3)
    assert ranks(encoder, question, ["ann", "bob"], secrets, candidates).tolist() == expected
    # Those that are not among the candidates are ranked beside them.
    assert ranks(encoder, question, ["ann", "bob"], secrets, ["elm"]).tolist() == [[1, 2], [1, 1]]


@pytest.fixture(scope="module")
def found():
    pytest.importorskip("gensim")
    made = planted()
    return made.key, trained(made.corpus)


def test_exposure_rises_with_repetitions_and_the_controls_stay(found):
    key, encoder = found
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


def test_an_encoder_trained_on_other_canaries_tells_nothing(found):
    _, encoder = found
    assert not any(group.exposed for group in vestige.canary_exposure(encoder, planted(seed=1).key).by_times)
    assert not any(group.exposed for group in vestige.canary_exposure(WordSum(), planted().key).by_times)


def test_a_sample_says_less_and_does_not_contradict(found):
    key, encoder = found
    whole, sampled = (vestige.canary_exposure(encoder, key, candidates=count) for count in (4096, 1000))
    assert (sampled.scored, whole.scored) == (1001, 4096)
    assert sampled.provable < whole.provable
    for part, full in zip(sampled.by_times, whole.by_times, strict=True):
        assert part.own.low < full.own.value < part.own.high
        assert part.own.high - part.own.low > full.own.high - full.own.low


def test_what_cannot_be_planted_or_ranked_is_refused():
    corpus = Corpus("few", ["one", "two"])
    with pytest.raises(InputError, match="has no secret field"):
        vestige.plant_canaries(corpus, replace(load_pattern("pass-phrase"), secret=()))
    for times in ([], [0], [-1, 4], [4, 4]):
        with pytest.raises(InputError, match="expected whole numbers of 0 or more"):
            vestige.plant_canaries(corpus, times=times)
    with pytest.raises(InputError, match="too few for an interval; expected 10"):
        vestige.plant_canaries(corpus, each=9)
    with pytest.raises(InputError, match="4,096 secrets; 2,400 to plant and as many never planted need more"):
        vestige.plant_canaries(corpus, times=[1], each=2400)
    with pytest.raises(InputError, match="99 candidates prove nothing"):
        vestige.canary_exposure(WordSum(), planted().key, candidates=99)
