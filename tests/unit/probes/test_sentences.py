"""The probe `sentences`: a toy encoder in the loop."""

from dataclasses import replace

import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of, list_unused_queries
from vestige.case.case import Missing
from vestige.case.findings import Finding
from vestige.case.inputs import Inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.probes.plan import choose_probes
from vestige.probes.probe import Run

SETTINGS = Settings(targets=120, pairs=400, shortest=4, rewritten=15, queries=40)
(PROBE,) = choose_probes(["sentences"])


@pytest.fixture(scope="module")
def case():
    return case_of(toy_corpus(), SETTINGS, WordSum())


@pytest.fixture(scope="module")
def finding(case) -> Finding:
    found = PROBE.run(case, Run(SETTINGS))
    assert isinstance(found, Finding)
    return found


def test_an_encoder_that_sums_words_gives_sentences_away(finding):
    rouge = finding.measure("rouge_l")
    assert finding.leakage.low > 0
    assert rouge.attack.n == 15
    assert finding.leakage.value == pytest.approx(rouge.attack.value - rouge.prior.value)
    assert rouge.control.value < rouge.attack.value
    assert finding.measure("rouge_1").attack.value >= rouge.attack.value


def test_queries_are_metered(case):
    encoder = WordSum()
    found = PROBE.run(replace(case, encoder=encoder), Run(SETTINGS))
    assert found.adversary.queries - case.auxiliary["same-domain"].queries == sum(encoder.calls)


def test_more_queries_recover_no_less(finding):
    nearest, *_, last = (bar.score.value for bar in finding.charts[0].bars)
    assert last >= nearest


def test_an_estimate_has_the_trials_of_every_target_and_the_single_words(corpus, encoder):
    plan = plan_case(Inputs(None, corpus, encoder, None), SETTINGS)
    estimated = list(PROBE.estimate_queries(plan))
    assert len(set(estimated)) == len(estimated)
    assert len(estimated) > 15 * 40
    assert encoder.calls == []


def test_too_few_documents_are_not_scored(case):
    opened = PROBE.open(case, Run(replace(SETTINGS, rewritten=5)))
    assert isinstance(opened, Missing)
    assert "--rewritten" in opened.remedy


def test_without_queries_the_probe_is_not_applicable():
    settings = replace(SETTINGS, queries=0)
    opened = PROBE.open(case_of(toy_corpus(), settings, WordSum()), Run(settings))
    assert isinstance(opened, Missing)
    assert "--queries" in opened.remedy


def test_every_query_that_is_known_beforehand_is_made():
    assert not list_unused_queries(PROBE, SETTINGS, toy_corpus())
