"""The probe `words`: attack, prior and control on a toy encoder that leaks by construction."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.conftest import SYLLABLES, WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.findings import Finding, NotApplicable
from vestige.case.inputs import Inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.probes.inversions import warn_unconverged
from vestige.probes.plan import choose_probes
from vestige.probes.probe import Run
from vestige.text.corpus import Corpus
from vestige.text.words import content_words
from vestige.types import TrainingLog, WordGuesses

SETTINGS = Settings(targets=120, pairs=600, queries=20, shortest=4)
PROBE, CROSS_DOMAIN = choose_probes(["words", "words-cross-domain"])


def find(settings=SETTINGS, probe=PROBE, **inputs) -> Finding:
    found = probe.run(case_of(toy_corpus(), settings, WordSum(), **inputs), Run(settings))
    assert isinstance(found, Finding)
    return found


@pytest.fixture(scope="module")
def finding() -> Finding:
    return find()


def test_the_leakage_is_the_gain_over_the_prior(finding):
    f1 = finding.measure("f1")
    assert finding.leakage.low > 0.2
    assert finding.leakage.value == pytest.approx(f1.attack.value - f1.prior.value)
    assert finding.warnings == ()


def test_the_control_scores_like_the_prior(finding):
    f1 = finding.measure("f1")
    assert f1.prior.low - 0.02 <= f1.control.value <= f1.prior.high


def test_every_score_has_an_interval_a_baseline_and_n(finding):
    for measure in finding.measures:
        for score in (measure.attack, measure.prior, measure.control):
            assert score.low <= score.value <= score.high
            assert score.n == 120
            assert score.baseline == pytest.approx(measure.prior.value)


def test_a_control_above_the_prior_gives_a_warning(monkeypatch):
    """If its pairs are not shuffled, the control is the attack itself, and is detected."""
    monkeypatch.setattr("vestige.probes.words._shuffle", lambda vectors, _seed: vectors)
    assert "do not rely" in find().warnings[0]


def test_an_adversary_with_cross_domain_text_recovers_less(finding):
    halves = [
        " ".join(word for word in text.split() if word.lower().startswith(SYLLABLES[::2]))
        for text in toy_corpus(600, seed=9).texts
    ]
    cross = find(probe=CROSS_DOMAIN, auxiliary=Corpus("cross-domain", halves))
    assert cross.probe == "words-cross-domain"
    assert cross.leakage.low > 0
    assert cross.leakage.value < finding.leakage.value - 0.05
    assert "only unrelated text" in cross.summary


def test_the_published_recipe_is_run_if_chosen(finding):
    published = find(replace(SETTINGS, recipe="paper"))
    assert "paper recipe" in published.attack
    assert published.leakage.value < finding.leakage.value


def test_a_named_recipe_is_run_and_named():
    found = find(replace(SETTINGS, recipe="song-mlc"))
    assert "recipe song-mlc, on content words" in found.attack
    assert found.adversary.queries == 600


def test_a_recipe_that_needs_weights_does_not_apply_without_them():
    settings = replace(SETTINGS, recipe="song-sparse")
    outcome = PROBE.run(case_of(toy_corpus(), settings, WordSum()), Run(settings))
    assert isinstance(outcome, NotApplicable)
    assert "'song-sparse' needs the weights" in outcome.reason


def test_a_recipe_of_another_question_does_not_apply():
    settings = replace(SETTINGS, recipe="pan-mlp")
    outcome = PROBE.run(case_of(toy_corpus(), settings, WordSum()), Run(settings))
    assert isinstance(outcome, NotApplicable)
    assert "song-msp" in outcome.remedy


def test_an_attack_that_was_cut_off_is_reported():
    guesses = WordGuesses([], [], TrainingLog("the loss stays the same", converged=False, steps=300))
    warnings = warn_unconverged(SimpleNamespace(log_=TrainingLog("", converged=True, steps=3)), guesses)
    assert len(warnings) == 1
    assert "300 steps" in warnings[0]
    assert not warn_unconverged(SimpleNamespace(), WordGuesses([], []))


def test_the_estimate_has_the_words_of_each_adversarys_own_texts():
    own = Corpus("own", [f"gabax kocox {row} dufex" for row in range(400)])
    other = Corpus("other", [f"zeta omega theta {row}." for row in range(400)])
    plan = plan_case(Inputs(None, own, WordSum(), other), replace(SETTINGS, unit="text"))
    assert set(PROBE.estimate_queries(plan)) == {word for text in plan.known.texts for word in content_words(text)}
    assert {"zeta", "omega", "theta"} <= set(CROSS_DOMAIN.estimate_queries(plan))
