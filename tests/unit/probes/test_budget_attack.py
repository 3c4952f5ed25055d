"""The adversary of the probe `budget`: its surrogate, its pool, and its guesses."""

from dataclasses import replace

import pytest

from tests.conftest import WordSum
from tests.unit.attacks.surrogate.world import Bent, on_topics
from vestige.case.case import Auxiliary
from vestige.case.settings import Settings
from vestige.probes import budget_attack
from vestige.probes.budget_attack import (
    PACKAGED,
    STATIC,
    BudgetAdversary,
    choose_surrogate,
    list_surrogates,
)
from vestige.types import silent

SETTINGS = Settings(seed=1)
TEXTS = on_topics(300, 1)
PAIRS = Auxiliary(WordSum().encode(TEXTS), TEXTS, [str(row) for row in range(300)], "topics", 300)


@pytest.fixture(autouse=True)
def toy_surrogates(monkeypatch):
    monkeypatch.setattr(budget_attack, "load_encoder", lambda name: {"bent": Bent, "word-sum": WordSum}[name]())


def test_surrogates_are_those_that_are_installed(monkeypatch, tmp_path):
    monkeypatch.setenv("VESTIGE_MODELS", str(tmp_path))
    assert STATIC not in list_surrogates()
    assert set(list_surrogates()) <= set(PACKAGED)


def test_the_surrogate_is_never_the_encoder_under_attack():
    assert choose_surrogate(("word-sum", "bent"), TEXTS, PAIRS.vectors).name == "bent"
    assert choose_surrogate(("word-sum",), TEXTS, PAIRS.vectors).name == "lsa:tfidf:256"


def test_the_pool_has_no_duplicates_and_texts_without_words_give_none():
    twice = PAIRS.take([*range(300), *range(50)])
    adversary = BudgetAdversary.build(twice, ("bent",), SETTINGS)
    assert len(set(adversary.pool.texts)) == len(adversary.pool.texts) == len(set(TEXTS))
    numbers = replace(PAIRS, texts=[str(row) for row in range(300)])
    assert BudgetAdversary.build(numbers, ("bent",), SETTINGS) is None


def test_budgets_are_those_that_the_pool_allows_and_without_queries_the_attack_is_the_prior():
    adversary = BudgetAdversary.build(PAIRS, ("bent",), SETTINGS)
    guesses = adversary.guess_by_budget(PAIRS.vectors[:20], SETTINGS, silent)
    assert list(guesses) == [0, 10, 50, 200]
    assert guesses[0].attack.sets == guesses[0].prior.sets
    some = guesses[200].take([3, 1])
    assert some.attack.sets == [guesses[200].attack.sets[row] for row in (3, 1)]


def test_a_guess_is_the_same_alone_and_next_to_others():
    adversary = BudgetAdversary.build(PAIRS, ("bent",), SETTINGS)
    targets = PAIRS.vectors[:20]
    together = adversary.guess_by_budget(targets, SETTINGS, silent)
    alone = adversary.guess(targets, adversary.pool.vectors, 50, SETTINGS)
    assert together[50].attack.ranked == alone.ranked
