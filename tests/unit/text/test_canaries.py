"""Canaries are planted as often as asked, and nothing else changes."""

from collections import Counter

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.canaries import make_canaries, plant
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern

CORPUS = Corpus("few", ["one", "two", "three", "four"], ["a", "a", "b", "c"], {"topic": [1, 2, 3, 4]})


def some(count, seed=0):
    return make_canaries(load_pattern("pass-phrase"), count, np.random.default_rng(seed))


def test_a_canary_is_its_prompt_and_then_its_secret():
    for canary in some(20):
        assert canary.text == f"{canary.prompt}{canary.secret}."
        assert len(canary.secret.split()) == 3
    assert len({canary.secret for canary in some(20)}) == len({canary.prompt for canary in some(20)}) == 20
    assert some(5) == some(5) != some(5, seed=1)


def test_each_is_planted_as_often_as_asked_and_the_rest_stays_in_order():
    canaries = some(3)
    planted = plant(CORPUS, canaries, [0, 1, 5], np.random.default_rng(0))
    counts = Counter(planted.texts)
    assert [counts[canary.text] for canary in canaries] == [0, 1, 5]
    kept = [row for row, name in enumerate(planted.documents) if not name.startswith("canary")]
    assert planted.take(kept) == CORPUS
    assert len(set(planted.documents)) == 3 + 6
    assert planted.attributes["topic"].count(None) == 6


def test_no_document_is_parted_and_every_place_is_used():
    canaries = some(1)
    found = set()
    for seed in range(40):
        documents = plant(CORPUS, canaries, [1], np.random.default_rng(seed)).documents
        assert documents.index("a") + 1 == len(documents) - 1 - documents[::-1].index("a")
        found.add(next(row for row, name in enumerate(documents) if name.startswith("canary")))
    assert found == {0, 2, 3, 4}


def test_what_cannot_be_planted_is_refused():
    with pytest.raises(InputError, match=r"2 canaries but times \[1\]"):
        plant(CORPUS, some(2), [1], np.random.default_rng(0))
    with pytest.raises(InputError, match="a number of 0 or more"):
        plant(CORPUS, some(1), [-1], np.random.default_rng(0))
    planted = plant(CORPUS, some(1), [1], np.random.default_rng(0))
    with pytest.raises(InputError, match="has a document 'canary 0 copy 0' already"):
        plant(planted, some(1), [1], np.random.default_rng(0))
    with pytest.raises(InputError, match="2 canaries need as many"):
        make_canaries(load_pattern("genome"), 2, np.random.default_rng(0))
