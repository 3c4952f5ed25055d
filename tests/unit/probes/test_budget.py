"""The probe `budget`: a toy encoder that leaks words, and an adversary with another toy encoder."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.attacks.surrogate.world import Bent, on_topics
from tests.unit.probes.cases import case_of
from vestige.audit.gate import parse_gate
from vestige.case.findings import Finding, Measure, NotApplicable
from vestige.case.settings import Settings
from vestige.probes import budget_attack
from vestige.probes.budget import BudgetProbe, find_cheapest, summarize
from vestige.probes.budget_attack import BudgetAdversary
from vestige.probes.probe import Run
from vestige.text.corpus import Corpus
from vestige.types import Score

PROBE = BudgetProbe("budget", "?", ("bent",))
SETTINGS = Settings(seed=1, targets=100, pairs=400, unit="text")
TEXTS = Corpus("topics", on_topics(600, 1))


@pytest.fixture(autouse=True, scope="module")
def toy_surrogates():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget_attack, "load_encoder", lambda name: {"bent": Bent, "word-sum": WordSum}[name]())
        yield


@pytest.fixture(scope="module")
def case():
    return case_of(TEXTS, SETTINGS, WordSum())


@pytest.fixture(scope="module")
def finding(case):
    found = PROBE.run(case, Run(SETTINGS))
    assert isinstance(found, Finding)
    return found


def test_more_queries_recover_more_and_shuffled_vectors_recover_nothing(finding):
    reached = [finding.measure(f"queries_{budget}") for budget in (0, 10, 50, 200)]
    assert reached[0].attack == reached[0].prior
    assert reached[3].attack.low > reached[1].attack.high
    assert reached[3].attack.low > reached[3].prior.value + 0.3
    assert all(measure.control.value < measure.prior.value + 0.05 for measure in reached)
    assert finding.warnings == ()


def test_the_finding_is_that_of_two_hundred_queries(finding):
    headline = finding.measure("queries_200")
    assert finding.headline == "queries_200"
    assert finding.leakage.value == pytest.approx(headline.attack.value - headline.prior.value, abs=1e-6)
    assert finding.adversary.queries == finding.adversary.pairs == 200
    assert [bar.label for bar in finding.charts[0].bars] == ["0 queries", "10 queries", "50 queries", "200 queries"]
    assert "an encoder of its own: bent" in finding.adversary.given


def test_the_encoder_is_not_queried_again(case):
    encoder = WordSum()
    PROBE.run(replace(case, encoder=encoder), Run(SETTINGS))
    assert encoder.calls == []


def test_without_the_encoder_the_adversary_holds_known_pairs(finding):
    vectors = WordSum().encode(TEXTS.texts)
    found = PROBE.run(case_of(TEXTS, SETTINGS, vectors=vectors), Run(SETTINGS))
    assert found.leakage.value == pytest.approx(finding.leakage.value, abs=0.05), "other targets, drawn by content"
    assert found.adversary.queries == 0
    assert found.adversary.pairs == 200


def test_random_vectors_reveal_nothing():
    noise = np.random.default_rng(0).normal(size=(len(TEXTS), 32)).astype(np.float32)
    found = PROBE.run(case_of(TEXTS, SETTINGS, vectors=noise), Run(SETTINGS))
    assert found.leakage.low <= 0
    assert found.level in ("none", "unknown")


def test_without_texts_there_is_nothing_to_score(case):
    blind = replace(case, truth=None, auxiliary={}, missing={"same-domain": case.missing["cross-domain"]})
    assert isinstance(PROBE.run(blind, Run(SETTINGS)), NotApplicable)


@pytest.mark.parametrize("texts", ["words of their own", "numbers"])
def test_texts_that_share_no_word_are_not_applicable(texts):
    rng = np.random.default_rng(0)
    letters = np.array(list("0123456789" if texts == "numbers" else "abcdefghijklmnopqrstuvwxyz"))
    own = [" ".join("".join(rng.choice(letters, size=9)) for _ in range(10)) for _ in range(600)]
    found = PROBE.run(case_of(Corpus("own", own), SETTINGS, WordSum()), Run(SETTINGS))
    assert isinstance(found, NotApplicable)
    assert found.reason == "no word is in several of the texts that the attacker has"


def test_every_target_is_attacked_and_those_with_a_known_word_are_scored(case, monkeypatch):
    texts = [*case.truth.texts]
    texts[3] = "zzyzzyva"
    sizes, guess = [], BudgetAdversary.guess

    def watched(self, targets, *more):
        sizes.append(len(targets))
        return guess(self, targets, *more)

    monkeypatch.setattr(BudgetAdversary, "guess", watched)
    found = PROBE.run(replace(case, truth=replace(case.truth, texts=texts)), Run(SETTINGS))
    assert set(sizes) == {len(texts)}
    assert found.leakage.n == len(texts) - 1


def _gain(value, low, high):
    return Score(value, low, high, 100, 0.0)


def test_the_cheapest_budget_is_the_first_whose_whole_interval_is_above():
    gains = {0: _gain(0, 0, 0), 10: _gain(0.05, -0.01, 0.1), 50: _gain(0.15, 0.08, 0.2), 200: _gain(0.3, 0.25, 0.4)}
    assert find_cheapest(gains, 0) == 50
    assert find_cheapest(gains, 0.1) == 200
    assert find_cheapest(gains, 0.3) is None
    score = Score(0.4, 0.35, 0.5, 100, 0.1)
    summary = summarize(200, Measure("queries_200", "", score, replace(score, value=0.1), score), gains[200], gains)
    assert "40% of them are in it, where guessing has 10%" in summary
    assert "50 queries are enough to do better than guessing, and 200 to reveal a substantial part" in summary


def test_a_larger_budget_than_usual_is_named_if_it_is_needed():
    gains = {0: _gain(0, 0, 0), 200: _gain(0.02, -0.01, 0.05), 1000: _gain(0.25, 0.2, 0.3)}
    score = Score(0.2, 0.15, 0.25, 100, 0.18)
    summary = summarize(200, Measure("queries_200", "", score, score, score), gains[200], gains)
    assert "no more from the vectors than from guessing" in summary
    assert summary.endswith("1,000 queries are enough to do better than guessing, and to reveal a substantial part.")


def test_a_gate_names_the_fewest_queries_that_exceed_its_limit(finding):
    ten, fifty = (
        measure.attack.value - measure.prior.value for measure in map(finding.measure, ("queries_10", "queries_50"))
    )
    between = f"{(ten + fifty) / 2:.4f}"
    outcome = parse_gate(f"budget>{between}", [PROBE]).check([finding])
    assert not outcome.held
    assert outcome.explanation.endswith("; met with 50 queries or more")
    for other in ("budget>0.99", f"budget.queries_200>{between}"):
        assert "queries or more" not in parse_gate(other, [PROBE]).check([finding]).explanation


def test_budgets_vocabulary_and_importance_of_the_settings_are_reported(case):
    words = tuple(dict.fromkeys(word for text in TEXTS.texts[:9] for word in text.split()))
    settings = replace(SETTINGS, budgets=(30, 60), vocabulary=words, importance="yake", surrogate="bent")
    found = PROBE.run(case, Run(settings))
    assert [bar.label for bar in found.charts[0].bars] == ["30 queries", "60 queries"]
    assert found.headline == "queries_60"
    assert any("weighted by YAKE" in given for given in found.adversary.given)
    unknown = PROBE.run(case, Run(replace(SETTINGS, vocabulary=("qwertz",))))
    assert isinstance(unknown, NotApplicable)
    assert "--vocabulary" in unknown.reason
    few = PROBE.run(case, Run(replace(SETTINGS, vocabulary=words[:8])))
    assert isinstance(few, NotApplicable)
    assert few.reason == "8 words to choose from, too few to name 5 for each text"


def test_a_recipe_of_the_paper_is_named_and_says_that_it_was_cut_off(case, monkeypatch):
    monkeypatch.setattr(budget_attack.SurrogateAttack, "_check", lambda self: _cut(self))
    found = PROBE.run(case, Run(replace(SETTINGS, recipe="paper", budgets=(20,))))
    assert "SADE" in found.attack
    assert any("cut off" in warning for warning in found.warnings)
    (setup,) = PROBE.open(case, Run(replace(SETTINGS, recipe="paper", budgets=(20,))))
    assert setup.attack == found.attack
    assert setup.budget == 20


def _cut(attack):
    attack.steps = 2
    return "random", "none", "listnet"


def test_the_surrogate_is_fine_tuned_if_its_weights_can_be_trained(case, monkeypatch):
    settings = replace(SETTINGS, recipe="chen-fine-tuned", budgets=(20,))
    refused = PROBE.run(case, Run(settings))
    assert isinstance(refused, NotApplicable)
    assert "the attacker's encoder 'bent' cannot be trained here" in refused.reason
    assert "--surrogate hf:FOLDER" in refused.remedy
    tuned = []

    def watch(_self, surrogate, *_):
        tuned.append(surrogate)
        return surrogate

    monkeypatch.setattr(Bent, "copy_trainable", Bent, raising=False)
    monkeypatch.setattr(budget_attack.SurrogateAttack, "_fine_tune", watch)
    found = PROBE.run(case, Run(settings))
    assert "whose weights are fine-tuned" in found.attack
    # The attack and its control; the encoder itself, not the memory of its vectors around it.
    assert [type(each) for each in tuned] == [Bent, Bent]
