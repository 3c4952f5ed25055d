"""The probe `names` on toy texts that name persons."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.findings import Finding, NotApplicable
from vestige.case.settings import Settings
from vestige.probes import names
from vestige.probes.names import NamesProbe
from vestige.probes.probe import Run
from vestige.text.corpus import Corpus

PROBE = NamesProbe("names", "?")
SETTINGS = Settings(targets=300, pairs=600, shortest=4)
PERSONS = ("Johnson", "Martinez", "Robinson", "Thompson", "Anderson", "Rodriguez")


@pytest.fixture(scope="module", autouse=True)
def _no_tagger():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "load_tagger", lambda: None)
        yield


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(0)
    texts = []
    for text in toy_corpus(400).texts:
        words = text.split()
        words.insert(4, f"Mary {rng.choice(PERSONS)}")
        texts.append(" ".join(words))
    return Corpus("toy", texts)


@pytest.fixture(scope="module")
def finding(corpus):
    found = PROBE.run(case_of(corpus, SETTINGS, WordSum()), Run(SETTINGS))
    assert isinstance(found, Finding)
    return found


def test_a_leaking_encoder_reveals_names(finding):
    f1 = finding.measure("f1")
    assert f1.attack.low > f1.prior.high
    assert f1.control.value < f1.attack.low
    assert finding.leakage.value == pytest.approx(f1.attack.value - f1.prior.value, abs=1e-6)
    assert not finding.warnings


def test_names_are_masked_unless_text_is_shown(corpus, finding):
    assert {bar.label for bar in finding.charts[0].bars} == {f"name {place}" for place in range(1, len(PERSONS) + 1)}
    shown = PROBE.run(case_of(corpus, SETTINGS, WordSum()), Run(replace(SETTINGS, show_text=True)))
    assert {bar.label for bar in shown.charts[0].bars} == {person.lower() for person in PERSONS}


def test_a_name_put_in_for_another_is_recovered_if_the_encoder_is_a_sum(finding):
    own, put_in, absent = (bar.score for bar in finding.charts[1].bars)
    assert put_in.value > own.value - 0.1
    assert put_in.low > absent.high


def test_without_an_encoder_no_name_is_put_in(corpus):
    texts = corpus.sentences(4, 40)
    finding = PROBE.run(case_of(texts, SETTINGS, vectors=WordSum().encode(texts.texts)), Run(SETTINGS))
    assert len(finding.charts) == 1


def test_texts_without_names_are_not_applicable():
    answer = PROBE.run(case_of(toy_corpus(400), SETTINGS, WordSum()), Run(SETTINGS))
    assert isinstance(answer, NotApplicable)
    assert "found in 0 target documents" in answer.reason


class Fake:
    """Takes one word for a person."""

    def __init__(self):
        self.tagged = 0

    def entities(self, texts):
        self.tagged += len(texts)
        return [[("Zyx", "PERSON"), ("Acme", "ORG")] for _ in texts]


def test_a_tagger_finds_names_that_are_in_no_list(monkeypatch):
    texts = toy_corpus(400).texts
    corpus = Corpus("toy", [text.replace(" bacox", " Zyx").replace(" badux", " Acme") for text in texts])
    case, tagger = case_of(corpus, SETTINGS, WordSum()), Fake()
    assert isinstance(PROBE.run(case, Run(SETTINGS)), NotApplicable)
    monkeypatch.setattr(names, "load_tagger", lambda: tagger)
    monkeypatch.setattr(names, "MOST_TAGGED", 50)
    finding = PROBE.run(case, Run(replace(SETTINGS, show_text=True)))
    assert {bar.label for bar in finding.charts[0].bars} == {"zyx"}
    assert tagger.tagged == len(case.targets) + 50
    assert finding.charts[0].reading.endswith("Counted are names from lists of the US census and from a tagger.")


def test_without_a_tagger_names_are_those_of_the_lists(finding):
    assert "Counted are names from lists of the US census." in finding.charts[0].reading
