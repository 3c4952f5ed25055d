"""The probe `sentences`: a toy encoder in the loop."""

from dataclasses import replace

import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of, list_unused_queries
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.case.case import Missing
from vestige.case.findings import Finding
from vestige.case.inputs import Inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.encoders.one_at_a_time import OneAtATime
from vestige.errors import InputError
from vestige.probes.plan import choose_probes
from vestige.probes.probe import Run
from vestige.probes.sentences import search_in_parts
from vestige.probes.words_evidence import BY_LENGTH
from vestige.types import silent

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


def test_leakage_is_shown_by_length_and_for_whole_texts(finding):
    titles = [chart.title for chart in finding.charts]
    assert titles[2:] == [BY_LENGTH, "What comes back exactly"]
    assert finding.charts[3].bars[0].score.n == 15


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


def test_a_search_in_two_threads_finds_the_same_texts_and_advances_once_per_query(case):
    pairs, steps = case.auxiliary["same-domain"], []
    attack = GuidedInverter(queries=40).fit(pairs.vectors, pairs.texts, encoder=OneAtATime(WordSum()))
    alone = search_in_parts(attack, case.targets[:7], 1, silent)
    shared = search_in_parts(attack, case.targets[:7], 2, lambda _task, total: lambda done: steps.append(done / total))
    assert shared == alone
    assert sum(steps) == pytest.approx(1)


def test_an_error_in_one_thread_ends_the_other(case):
    class Failing(WordSum):
        """Fails at the third call."""

        def encode(self, texts, *, progress=silent):
            if len(self.calls) == 3:
                raise InputError("no more")
            return super().encode(texts, progress=progress)

    pairs = case.auxiliary["same-domain"]
    attack = GuidedInverter(queries=200).fit(pairs.vectors, pairs.texts, encoder=OneAtATime(Failing()))
    with pytest.raises(InputError, match="no more"):
        search_in_parts(attack, case.targets[:8], 2, silent)
    assert len(attack.encoder_.encoder.calls) < 10
