"""Planting canaries, and the key that lists them."""

import json
from collections import Counter
from dataclasses import replace

import pytest

import vestige
from tests.conftest import toy_corpus
from vestige.audit.canaries import read_key, serialize_key
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern

TIMES = (0, 2, 8, 32)


def planted(pattern="pass-phrase", seed=0):
    return vestige.plant_canaries(toy_corpus(80), pattern, times=TIMES, each=10, seed=seed)


def test_the_texts_contain_what_the_key_lists():
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
    (tmp_path / "key.json").write_bytes(serialize_key(key))
    assert read_key(tmp_path / "key.json") == key


def test_a_key_that_is_not_as_written_is_refused(tmp_path):
    path = tmp_path / "key.json"
    with pytest.raises(InputError, match="does not exist"):
        read_key(path)
    whole = serialize_key(planted().key)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="is truncated or not JSON"):
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


def test_what_cannot_be_planted_is_refused():
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
