"""Which attacks an adversary may run, and what they cost."""

from dataclasses import replace

import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from vestige.attacks.attack import AttackInfo
from vestige.case.case import Auxiliary, Knowledge
from vestige.case.settings import Settings
from vestige.probes.inversions import Inversion, list_inversions, query_single_words
from vestige.types import WordGuesses, silent

SETTINGS = Settings(targets=120, pairs=600, queries=20, shortest=4, vocabulary_size=50)


@pytest.fixture
def pairs(toy_pairs):
    vectors, texts = toy_pairs
    return Auxiliary(vectors[:300], texts[:300], [str(row // 3) for row in range(300)], "toy", 300)


class Unassuming:
    """Takes vectors and texts, and nothing else."""

    info = AttackInfo("unassuming", "takes vectors and texts alone", WordGuesses, ("pairs",), audited=True)

    def fit(self, vectors, texts):
        self.given = vectors, texts
        return self


class Greedy(Unassuming):
    """Takes whatever is offered."""

    def fit(self, vectors, texts, **more):
        self.more = set(more)
        return super().fit(vectors, texts)


def test_fit_receives_what_it_has_a_parameter_for(pairs):
    assert Inversion(Unassuming, 0, {}).fit(pairs, silent).given == (pairs.vectors, pairs.texts)
    assert Inversion(Greedy, 0, {}).fit(pairs, silent).more == {"rng", "documents", "further_texts", "progress"}


@pytest.mark.parametrize(
    ("encoder", "inside", "access", "names"),
    [
        (None, None, "weights", ["multilabel", "multiset"]),
        (WordSum(), None, "weights", ["multilabel", "multiset"]),
        (WordSum(), "weights", "weights", ["multilabel", "multiset", "sparse"]),
        (WordSum(), "weights", "queries", ["multilabel", "multiset"]),
    ],
)
def test_the_adversary_runs_the_attacks_that_its_access_allows(pairs, encoder, inside, access, names, monkeypatch):
    monkeypatch.setattr("vestige.probes.inversions.find_white_box", lambda _encoder: inside)
    knowledge = Knowledge(pairs.vectors[:5], pairs, encoder)
    settings = Settings(access=access)
    words = None if encoder is None else query_single_words(encoder, pairs.texts, settings, 1, silent)
    inversions = list_inversions(knowledge, settings, words)
    found = [inversion.info.name for inversion in inversions]
    assert [name for name in found if name in ("multilabel", "multiset", "sparse")] == names
    assert (" and may query the encoder" in [inversion.access for inversion in inversions]) == (encoder is not None)


NOT_RUN = [
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


def test_single_words_are_queried_once_and_counted_whoever_wins():
    corpus, words = toy_corpus(), replace(SETTINGS, probes=("words",))
    queried = vestige.audit(texts=corpus, encoder=WordSum(), settings=words).findings[0].adversary
    settings = replace(SETTINGS, access="pairs", probes=("words", *NOT_RUN))
    without_queries = vestige.audit(texts=corpus, encoder=WordSum(), settings=settings)
    assert queried.queries == without_queries.findings[0].adversary.queries + 50
    assert [each.probe for each in without_queries.not_run] == NOT_RUN
    assert "only pairs" in without_queries.not_run[5].reason
