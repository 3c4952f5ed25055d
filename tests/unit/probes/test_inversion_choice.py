"""Which attack wins, by held-out documents alone."""

import numpy as np
import pytest

from tests.conftest import WordSum
from vestige.attacks.attack import AttackInfo
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.case.case import Auxiliary, Knowledge
from vestige.case.settings import Settings
from vestige.probes.inversion_choice import describe_sweep_attacks, run_tournament
from vestige.probes.inversions import Inversion, list_inversions, query_single_words
from vestige.text.words import content_words
from vestige.types import WordGuesses, silent

SETTINGS = Settings(targets=120, pairs=600, queries=20, shortest=4, vocabulary_size=50)


@pytest.fixture
def pairs(toy_pairs):
    vectors, texts = toy_pairs
    return Auxiliary(vectors[:300], texts[:300], [str(row // 3) for row in range(300)], "toy", 300)


class Known:
    """Claims a given set of words for each vector, and stores what it was fitted on and what it inferred."""

    info: AttackInfo

    def __init__(self, **_settings):
        pass

    def fit(self, vectors, _texts, *, rng, documents, progress):  # noqa: ARG002
        type(self).fitted = vectors, documents
        return self

    def infer(self, vectors):
        type(self).inferred = vectors
        return WordGuesses([type(self).sets(row) for row in vectors], [])


def declare(name, sets):
    info = AttackInfo(name, name, WordGuesses, ("pairs",), audited=True)
    return type(name, (Known,), {"info": info, "sets": staticmethod(sets)})


def test_the_best_on_held_out_documents_wins_and_is_judged_on_nothing_else(pairs):
    words = {row.tobytes(): content_words(text) for row, text in zip(pairs.vectors, pairs.texts, strict=True)}
    good, bad = declare("good", lambda row: words[row.tobytes()]), declare("bad", lambda _row: frozenset({"zzz"}))
    tournament = run_tournament([Inversion(bad, 0, {}), Inversion(good, 0, {})], pairs, SETTINGS, silent)
    assert tournament.best.kind is good
    assert list(tournament.f1) == ["good", "bad"]
    assert tournament.f1["good"].mean() == 1
    assert 0 < tournament.prior.mean() < tournament.f1["good"].mean()
    fitted, judged = {row.tobytes() for row in good.fitted[0]}, {row.tobytes() for row in good.inferred}
    assert not fitted & judged
    assert not set(good.fitted[1]) & set(tournament.documents)


class Unassuming:
    """Takes vectors and texts, and nothing else."""

    info = AttackInfo("unassuming", "takes vectors and texts alone", WordGuesses, ("pairs",), audited=True)

    def fit(self, vectors, texts):
        self.given = vectors, texts
        return self


def test_a_sweep_names_every_attack_that_it_chooses_from(monkeypatch):
    assert describe_sweep_attacks("screen").startswith("multi-label inversion, one linear classifier per word")
    monkeypatch.setattr("vestige.probes.inversion_choice.list_audited", lambda: [MultiLabelInverter, Unassuming])
    assert describe_sweep_attacks("full") == (
        "takes vectors and texts alone; or multi-label inversion, one linear classifier per word, default recipe (Song "
        "and Raghunathan 2020, Eq. 8), with epochs=0; whichever recovers more of texts that the adversary set aside"
    )


def test_the_choice_does_not_depend_on_the_targets(pairs):
    settings = Settings(access="queries", vocabulary_size=50)
    others = np.random.default_rng(0).permutation(pairs.vectors)[:5]
    played = []
    for targets in (pairs.vectors[:5], others):
        knowledge = Knowledge(targets, pairs, WordSum())
        words = query_single_words(WordSum(), pairs.texts, settings, 1, silent)
        played.append(run_tournament(list_inversions(knowledge, settings, words), pairs, settings, silent))
    assert played[0].f1.keys() == played[1].f1.keys()
    assert all(np.array_equal(played[0].f1[name], played[1].f1[name]) for name in played[0].f1)
