"""The adversary of the probe `budget`: its surrogate, its pool, and its guesses."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.tiny_models import tiny_checkpoint
from tests.unit.attacks.surrogate.world import Bent, on_topics
from vestige.case.case import Auxiliary
from vestige.case.checkpoints import Checkpoints
from vestige.case.settings import Settings
from vestige.probes import budget_attack
from vestige.probes.budget_attack import (
    PACKAGED,
    STATIC,
    BudgetAdversary,
    build_weigher,
    choose_surrogate,
    choose_words,
    list_surrogates,
    select_budgets,
)
from vestige.text.importance import KeyBertImportance, TfidfImportance, YakeImportance
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


def test_a_run_that_was_stopped_continues_after_the_last_finished_budget(monkeypatch, tmp_path):
    adversary, targets = BudgetAdversary.build(PAIRS, ("bent",), SETTINGS), PAIRS.vectors[:20]
    checkpoints, guess, asked = Checkpoints(tmp_path / "budget"), BudgetAdversary.guess, []

    def stop_at_ten(self, vectors, answers, budget, settings):
        asked.append(budget)
        if budget == 10:
            raise KeyboardInterrupt
        return guess(self, vectors, answers, budget, settings)

    monkeypatch.setattr(
        budget_attack, "run_parallel", lambda work, items, _: [work(item) for item in items[::-1]][::-1]
    )
    monkeypatch.setattr(BudgetAdversary, "guess", stop_at_ten)
    with pytest.raises(KeyboardInterrupt):
        adversary.guess_by_budget(targets, SETTINGS, silent, checkpoints)
    assert asked == [200, 200, 50, 50, 10]
    asked.clear()
    monkeypatch.setattr(BudgetAdversary, "guess", lambda *given: asked.append(given[3]) or guess(*given))
    resumed = adversary.guess_by_budget(targets, SETTINGS, silent, checkpoints)
    assert asked == [10, 10, 0, 0]
    assert resumed == adversary.guess_by_budget(targets, SETTINGS, silent)


def test_budgets_of_the_settings_replace_the_usual_ones():
    assert select_budgets(SETTINGS, 300) == [0, 10, 50, 200]
    assert select_budgets(replace(SETTINGS, budgets=(5, 20, 500)), 300) == [5, 20]
    assert select_budgets(replace(SETTINGS, budgets=(500,)), 300) == [300]


def test_a_vocabulary_restricts_the_words_to_those_that_a_text_contains():
    texts = ["Her hypertension and insulin", "insulin again"]
    assert choose_words(texts, ["Insulin", "hypertension!", "leg"]).words == ("insulin", "hypertension")
    assert choose_words(texts, ["leg"]) is None
    adversary = BudgetAdversary.build(PAIRS, ("bent",), replace(SETTINGS, vocabulary=tuple(TEXTS[0].split())))
    assert set(adversary.weigher.words) <= {word.strip(".").lower() for word in TEXTS[0].split()}


def test_the_surrogate_of_the_settings_is_used_even_if_it_is_under_attack():
    assert BudgetAdversary.build(PAIRS, ("bent",), replace(SETTINGS, surrogate="word-sum")).own.name == "word-sum"
    learned = BudgetAdversary.build(PAIRS, ("bent",), replace(SETTINGS, surrogate="lsa:tfidf:16"))
    assert learned.own.name == "lsa:tfidf:16"


def test_words_are_weighed_as_the_settings_say():
    words = choose_words(TEXTS, ())
    kinds = {name: type(build_weigher(name, words, TEXTS, Bent())) for name in ("tfidf", "keybert", "yake")}
    assert kinds == {"tfidf": TfidfImportance, "keybert": KeyBertImportance, "yake": YakeImportance}


@pytest.mark.parametrize("recipe", ["paper", "chen"])
def test_the_published_recipe_is_sade_and_learns_from_external_texts(recipe, monkeypatch):
    seen = []

    class Watched(budget_attack.SurrogateAttack):
        def fit(self, *given, **named):
            seen.append((self.recipe, list(named["external"])))
            self.steps = 2
            return super().fit(*given, **named)

    monkeypatch.setattr(budget_attack, "SurrogateAttack", Watched)
    settings = replace(SETTINGS, recipe=recipe)
    adversary = BudgetAdversary.build(PAIRS, ("bent",), settings, [*TEXTS[:30], "1 2 3"])
    guesses = adversary.guess(PAIRS.vectors[:5], adversary.pool.vectors, 20, settings)
    assert seen == [("chen", TEXTS[:30])]
    assert not guesses.log.converged


def test_a_surrogate_of_hugging_face_is_fine_tuned_from_the_settings_alone(monkeypatch, tmp_path):
    """Equation 4.8 on its own weights: other weights, and so other guesses, than with a layer behind it."""
    tuned = []

    class Watched(budget_attack.SurrogateAttack):
        def fit(self, *given, **named):
            self.steps, self.tuning_steps = 2, 2
            return super().fit(*given, **named)

        def _fine_tune(self, *given):
            tuned.append((given[0], super()._fine_tune(*given)))
            return tuned[-1][1]

    monkeypatch.undo()
    monkeypatch.setattr(budget_attack, "SurrogateAttack", Watched)
    spec = f"hf:{tiny_checkpoint('bert', tmp_path / 'bert')}"
    settings = replace(SETTINGS, recipe="chen-fine-tuned", surrogate=spec)
    adversary = BudgetAdversary.build(PAIRS, (), settings, TEXTS[:30])
    assert adversary.is_trainable
    adversary.guess(PAIRS.vectors[:5], adversary.pool.vectors, 20, settings)
    ((before, after),) = tuned
    assert before is not after
    assert not np.array_equal(before.encode(TEXTS[:3]), after.encode(TEXTS[:3]))
    assert not BudgetAdversary.build(PAIRS, (), replace(settings, surrogate="lsa:tfidf:16")).is_trainable
