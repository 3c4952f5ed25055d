"""Who may try what, who wins, and what it costs."""

from dataclasses import replace

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from vestige.case.case import Auxiliary, Knowledge
from vestige.case.settings import Settings
from vestige.probes.inversions import Inversion, allowed, single_words, tournament
from vestige.text.words import content_words
from vestige.types import WordGuesses, silent

SETTINGS = Settings(targets=120, pairs=600, queries=20, shortest=4, vocabulary_size=50)


@pytest.fixture
def pairs(toy_pairs):
    vectors, texts = toy_pairs
    return Auxiliary(vectors[:300], texts[:300], [str(row // 3) for row in range(300)], "toy", 300)


class Known:
    """Claims for each vector the set it is told, and remembers what it was asked."""

    def __init__(self, sets):
        self.sets = sets
        self.asked = None

    def infer(self, vectors):
        self.asked = vectors
        return WordGuesses([self.sets(row) for row in vectors], [])


def named(name, guesser, seen=None):
    def fit(pairs, _progress):
        if seen is not None:
            seen.append(pairs)
        return guesser

    return Inversion(name, name, "", "", fit)


def test_the_best_on_held_out_documents_wins_and_is_judged_on_nothing_else(pairs):
    words = {row.tobytes(): content_words(text) for row, text in zip(pairs.vectors, pairs.texts, strict=True)}
    good, bad = Known(lambda row: words[row.tobytes()]), Known(lambda _row: frozenset({"zzz"}))
    seen = []
    played = tournament([named("bad", bad), named("good", good, seen)], pairs, SETTINGS, silent)
    assert played.best.name == "good"
    assert list(played.f1) == ["good", "bad"]
    assert played.f1["good"].mean() == 1
    assert 0 < played.prior.mean() < played.f1["good"].mean()
    fitted, judged = {row.tobytes() for row in seen[0].vectors}, {row.tobytes() for row in good.asked}
    assert not fitted & judged
    assert not set(seen[0].documents) & set(played.documents)


@pytest.mark.parametrize(
    ("encoder", "inside", "access", "names"),
    [
        (None, None, "weights", ["multi-label", "multi-set"]),
        (WordSum(), None, "weights", ["multi-label", "multi-set"]),
        (WordSum(), "weights", "weights", ["multi-label", "multi-set", "sparse"]),
        (WordSum(), "weights", "queries", ["multi-label", "multi-set"]),
    ],
)
def test_what_a_stranger_may_try(pairs, encoder, inside, access, names, monkeypatch):
    monkeypatch.setattr("vestige.probes.inversions.opened", lambda _encoder: inside)
    knowledge = Knowledge(pairs.vectors[:5], pairs, encoder)
    settings = Settings(access=access)
    found = allowed(knowledge, settings, single_words(knowledge, settings, silent))
    assert [each.name for each in found] == names
    assert (" and may ask the encoder" in [each.access for each in found]) == (encoder is not None)


def test_single_words_are_asked_once_and_counted_whoever_wins():
    corpus = toy_corpus()
    asked = vestige.audit(texts=corpus, encoder=WordSum(), settings=SETTINGS).findings[0].adversary
    silent_one = vestige.audit(texts=corpus, encoder=WordSum(), settings=replace(SETTINGS, access="pairs"))
    assert asked.queries == silent_one.findings[0].adversary.queries + 50
    assert [asked.probe for asked in silent_one.not_run] == [
        "words-cross-domain",
        "keywords",
        "keywords-cross-domain",
        "names",
        "attributes",
        "patterns",
        "sentences",
        "membership",
        "membership-training",
        "fingerprint",
    ]
    assert "pairs alone" in silent_one.not_run[5].reason


def test_the_choice_does_not_depend_on_the_targets(pairs):
    settings = Settings(access="queries", vocabulary_size=50)
    others = np.random.default_rng(0).permutation(pairs.vectors)[:5]
    played = []
    for targets in (pairs.vectors[:5], others):
        knowledge = Knowledge(targets, pairs, WordSum())
        alone = single_words(knowledge, settings, silent)
        played.append(tournament(allowed(knowledge, settings, alone), pairs, settings, silent))
    assert played[0].f1.keys() == played[1].f1.keys()
    assert all(np.array_equal(played[0].f1[name], played[1].f1[name]) for name in played[0].f1)
