"""The probe `keywords` on toy texts whose encoder leaks by construction."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.audit.probes.cases import case_of
from vestige.audit.probes.keywords import KeywordsProbe
from vestige.audit.result import Finding, NotApplicable
from vestige.audit.settings import Settings
from vestige.types import silent

PROBE = KeywordsProbe("keywords", "?", "same-domain")
ELSEWHERE = KeywordsProbe("keywords-cross-domain", "?", "cross-domain")
SETTINGS = Settings(targets=300, pairs=600, shortest=4, keywords=("bacox", "badux", "bafex", "never"))


@pytest.fixture(scope="module")
def corpus():
    return toy_corpus(400)


@pytest.fixture(scope="module")
def finding(corpus):
    found = PROBE.run(case_of(corpus, SETTINGS, WordSum()), SETTINGS, silent)
    assert isinstance(found, Finding)
    return found


def test_a_leaking_encoder_tells_keywords(finding):
    accuracy = finding.measure("accuracy")
    assert accuracy.attack.low > 0.8
    assert accuracy.prior.value == 0.5
    assert accuracy.control.low < 0.5 < accuracy.control.high
    assert finding.leakage.value == pytest.approx(accuracy.attack.value - 0.5)
    assert finding.level == "severe"
    assert not finding.warnings


def test_the_likeliest_keyword_is_mostly_there(finding):
    likeliest = finding.measure("likeliest")
    assert likeliest.attack.low > likeliest.prior.high
    assert likeliest.control.value < likeliest.attack.low


def test_every_keyword_that_can_be_scored_has_a_bar_the_best_told_first(finding):
    bars = finding.charts[0].bars
    assert {bar.label for bar in bars} == {"bacox", "badux", "bafex"}
    assert [bar.score.value for bar in bars] == sorted((bar.score.value for bar in bars), reverse=True)
    assert "1 more could not be scored" in finding.charts[0].reading


def test_queries_are_counted(corpus):
    encoder = WordSum()
    case = case_of(corpus, SETTINGS, encoder)
    before = sum(encoder.calls)
    finding = PROBE.run(case, SETTINGS, silent)
    assert finding.adversary.queries - case.auxiliary["same-domain"].queries == sum(encoder.calls) - before > 0


def test_examples_are_masked_unless_asked(corpus, finding):
    told = {word for example in finding.examples for token in example.tokens if (word := token.text)}
    assert told <= {"bacox", "badux", "bafex"}
    shown = PROBE.run(case_of(corpus, SETTINGS, WordSum()), replace(SETTINGS, show_text=True), silent)
    assert all(token.text for token in shown.examples[0].tokens)


def test_vectors_of_nothing_tell_nothing(corpus):
    texts = corpus.sentences(4, 40)
    noise = np.random.default_rng(0).normal(size=(len(texts), 32)).astype(np.float32)
    finding = PROBE.run(case_of(texts, SETTINGS, vectors=noise), SETTINGS, silent)
    assert finding.leakage.low <= 0
    assert finding.level in ("none", "unknown")


def test_a_stranger_with_unrelated_text_tells_keywords_too(corpus):
    settings = replace(SETTINGS, pairs=300)
    foreign = toy_corpus(300, seed=7)
    case = case_of(corpus, settings, WordSum(), auxiliary=foreign)
    finding = ELSEWHERE.run(case, settings, silent)
    assert finding.measure("accuracy").attack.low > 0.7
    assert finding.adversary.queries > case.auxiliary["cross-domain"].queries
    assert "only unrelated text" in finding.summary


@pytest.mark.parametrize("encoder", [None, WordSum()])
def test_without_unrelated_text_or_an_encoder_there_is_no_such_stranger(corpus, encoder):
    texts = corpus.sentences(4, 40)
    settings = replace(SETTINGS, access="pairs")
    case = case_of(texts, settings, encoder, vectors=WordSum().encode(texts.texts))
    assert isinstance(ELSEWHERE.run(case, settings, silent), NotApplicable)


def test_keywords_that_nobody_can_score_are_not_applicable(corpus):
    settings = replace(SETTINGS, keywords=("never", "in these texts"))
    answer = PROBE.run(case_of(corpus, settings, WordSum()), settings, silent)
    assert isinstance(answer, NotApplicable)
    assert "none of 2 keywords" in answer.reason
    answer = PROBE.run(case_of(corpus, settings, WordSum()), replace(settings, keywords=()), silent)
    assert isinstance(answer, NotApplicable)
    assert "no common sensitive word" in answer.reason
