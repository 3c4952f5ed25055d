"""The probe `names` on toy texts that name persons."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.audit.probes.cases import case_of
from vestige.audit.probes.names import NamesProbe
from vestige.audit.result import Finding, NotApplicable
from vestige.audit.settings import Settings
from vestige.text.corpus import Corpus
from vestige.types import silent

PROBE = NamesProbe("names", "?")
SETTINGS = Settings(targets=300, pairs=600, shortest=4)
PERSONS = ("Johnson", "Martinez", "Robinson", "Thompson", "Anderson", "Rodriguez")


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(0)
    texts = []
    for text in toy_corpus(400).texts:
        words = text.split()
        words.insert(4, str(rng.choice(PERSONS)))
        texts.append(" ".join(words))
    return Corpus("toy", texts)


@pytest.fixture(scope="module")
def finding(corpus):
    found = PROBE.run(case_of(corpus, SETTINGS, WordSum()), SETTINGS, silent)
    assert isinstance(found, Finding)
    return found


def test_a_leaking_encoder_gives_names_away(finding):
    f1 = finding.measure("f1")
    assert f1.attack.low > f1.prior.high
    assert f1.control.value < f1.attack.low
    assert finding.leakage.value == pytest.approx(f1.attack.value - f1.prior.value, abs=1e-6)
    assert not finding.warnings


def test_names_are_masked_unless_asked(corpus, finding):
    assert {bar.label for bar in finding.charts[0].bars} == {f"name {place}" for place in range(1, len(PERSONS) + 1)}
    shown = PROBE.run(case_of(corpus, SETTINGS, WordSum()), replace(SETTINGS, show_text=True), silent)
    assert {bar.label for bar in shown.charts[0].bars} == {person.lower() for person in PERSONS}


def test_a_name_put_in_for_another_is_read_where_the_encoder_is_a_sum(finding):
    own, put_in, absent = (bar.score for bar in finding.charts[1].bars)
    assert put_in.value > own.value - 0.1
    assert put_in.low > absent.high


def test_without_an_encoder_no_name_is_put_in(corpus):
    texts = corpus.sentences(4, 40)
    finding = PROBE.run(case_of(texts, SETTINGS, vectors=WordSum().encode(texts.texts)), SETTINGS, silent)
    assert len(finding.charts) == 1


def test_texts_without_names_are_not_applicable():
    answer = PROBE.run(case_of(toy_corpus(400), SETTINGS, WordSum()), SETTINGS, silent)
    assert isinstance(answer, NotApplicable)
    assert "found in 0 target documents" in answer.reason
