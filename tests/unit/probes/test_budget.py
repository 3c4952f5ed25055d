"""The probe `budget`: a toy encoder that leaks words, a stranger with another toy encoder."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.attacks.surrogate.world import Bent, on_topics
from tests.unit.probes.cases import case_of
from vestige.audit.gate import parse_gate
from vestige.case.findings import Finding, Measure, NotApplicable
from vestige.case.settings import Settings
from vestige.probes import surrogates
from vestige.probes.budget import BudgetProbe
from vestige.probes.budget_attack import Stranger
from vestige.probes.budget_evidence import least, summary
from vestige.text.corpus import Corpus
from vestige.types import Score, silent

PROBE = BudgetProbe("budget", "?", ("bent",))
SETTINGS = Settings(seed=1, targets=100, pairs=400, unit="text")
TEXTS = Corpus("topics", on_topics(600, 1))


@pytest.fixture(autouse=True)
def toy_surrogates(monkeypatch):
    monkeypatch.setattr(surrogates, "load_encoder", lambda name: {"bent": Bent, "word-sum": WordSum}[name]())


@pytest.fixture(scope="module")
def case():
    return case_of(TEXTS, SETTINGS, WordSum())


@pytest.fixture
def finding(case):
    found = PROBE.run(case, SETTINGS, silent)
    assert isinstance(found, Finding)
    return found


def test_more_queries_read_more_and_shuffled_answers_read_nothing(finding):
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


def test_nothing_is_asked_of_the_encoder_again(case):
    encoder = WordSum()
    PROBE.run(replace(case, encoder=encoder), SETTINGS, silent)
    assert encoder.calls == []


def test_vectors_whose_encoder_is_unknown_are_read_from_known_pairs(finding):
    vectors = WordSum().encode(TEXTS.texts)
    found = PROBE.run(case_of(TEXTS, SETTINGS, vectors=vectors), SETTINGS, silent)
    assert found.leakage == finding.leakage
    assert found.adversary.queries == 0
    assert found.adversary.pairs == 200


def test_vectors_of_nothing_give_nothing_away():
    noise = np.random.default_rng(0).normal(size=(len(TEXTS), 32)).astype(np.float32)
    found = PROBE.run(case_of(TEXTS, SETTINGS, vectors=noise), SETTINGS, silent)
    assert found.leakage.low <= 0
    assert found.level in ("none", "unknown")


def test_the_stranger_never_has_the_encoder_itself(case):
    names = ("word-sum", "bent")
    assert Stranger.of(case, names, SETTINGS).own.name == "bent"
    assert Stranger.of(case, ("word-sum",), SETTINGS).own.name == "lsa:tfidf:256"


def test_without_texts_there_is_nothing_to_score(case):
    blind = replace(case, truth=None, auxiliary={}, missing={"same-domain": case.missing["cross-domain"]})
    assert isinstance(PROBE.run(blind, SETTINGS, silent), NotApplicable)


@pytest.mark.parametrize("texts", ["words of their own", "numbers"])
def test_texts_that_share_no_word_are_said_to(texts):
    rng = np.random.default_rng(0)
    letters = np.array(list("0123456789" if texts == "numbers" else "abcdefghijklmnopqrstuvwxyz"))
    own = [" ".join("".join(rng.choice(letters, size=9)) for _ in range(10)) for _ in range(600)]
    found = PROBE.run(case_of(Corpus("own", own), SETTINGS, WordSum()), SETTINGS, silent)
    assert isinstance(found, NotApplicable)
    assert found.reason == "no word stands in several of the texts that the stranger has"


def test_the_attack_is_given_every_target_and_scored_on_those_that_hold_a_known_word(case, monkeypatch):
    texts = [*case.truth.texts]
    texts[3] = "zzyzzyva"
    given, read = [], Stranger.read

    def watched(self, targets, *more):
        given.append(len(targets))
        return read(self, targets, *more)

    monkeypatch.setattr(Stranger, "read", watched)
    found = PROBE.run(replace(case, truth=replace(case.truth, texts=texts)), SETTINGS, silent)
    assert set(given) == {len(texts)}
    assert found.leakage.n == len(texts) - 1


def _gain(value, low, high):
    return Score(value, low, high, 100, 0.0)


def test_the_cheapest_who_reads_is_the_first_whose_whole_interval_lies_above():
    gains = {0: _gain(0, 0, 0), 10: _gain(0.05, -0.01, 0.1), 50: _gain(0.15, 0.08, 0.2), 200: _gain(0.3, 0.25, 0.4)}
    assert least(gains, 0) == 50
    assert least(gains, 0.1) == 200
    assert least(gains, 0.3) is None
    score = Score(0.4, 0.35, 0.5, 100, 0.1)
    told = summary(200, Measure("queries_200", "", score, replace(score, value=0.1), score), gains[200], gains)
    assert "of which 40% are there, where guessing has 10%" in told
    assert "50 queries are enough to do better than guessing, and 200 to give a substantial part away" in told


def test_a_stranger_who_needs_more_queries_than_usual_is_named():
    gains = {0: _gain(0, 0, 0), 200: _gain(0.02, -0.01, 0.05), 1000: _gain(0.25, 0.2, 0.3)}
    score = Score(0.2, 0.15, 0.25, 100, 0.18)
    told = summary(200, Measure("queries_200", "", score, score, score), gains[200], gains)
    assert "no more from the vectors than from guessing" in told
    assert told.endswith("1,000 queries are enough to do better than guessing, and to give a substantial part away.")


def test_a_gate_names_the_cheapest_who_reads_more_than_its_limit(finding):
    ten, fifty = (
        measure.attack.value - measure.prior.value for measure in map(finding.measure, ("queries_10", "queries_50"))
    )
    between = f"{(ten + fifty) / 2:.4f}"
    outcome = parse_gate(f"budget>{between}", [PROBE]).check([finding])
    assert not outcome.held
    assert outcome.explanation.endswith("; met from 50 queries on")
    for other in ("budget>0.99", f"budget.queries_200>{between}"):
        assert "queries on" not in parse_gate(other, [PROBE]).check([finding]).explanation
