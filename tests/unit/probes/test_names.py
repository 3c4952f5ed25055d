"""The probe `names` on toy texts that name persons."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.case import Auxiliary, Knowledge, Truth
from vestige.case.findings import Finding, NotApplicable
from vestige.case.settings import Settings
from vestige.probes import names
from vestige.probes.names import NamesProbe
from vestige.probes.names_evidence import by_context, exchanged
from vestige.text.corpus import Corpus
from vestige.types import WordGuesses, silent

PROBE = NamesProbe("names", "?")
SETTINGS = Settings(targets=300, pairs=600, shortest=4)
PERSONS = ("Johnson", "Martinez", "Robinson", "Thompson", "Anderson", "Rodriguez")


@pytest.fixture(scope="module", autouse=True)
def _no_tagger():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "tagger_here", lambda: None)
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


SKEWED = {"smith": 100, "jones": 60, "brown": 40, "davis": 20}


class OneName:
    """Reads one name wherever it stands, and nothing else."""

    def __init__(self, name):
        self.name = name

    def infer(self, vectors):
        return WordGuesses([frozenset({self.name} if row[0] else ()) for row in vectors], [])


class Marking:
    """A vector says whether the name stands in the text."""

    def __init__(self, name):
        self.name = name

    def encode(self, texts, **_given):
        return np.array([[self.name in text.lower()] for text in texts], np.float32)


@pytest.mark.parametrize("name", SKEWED)
def test_a_frequent_name_is_put_in_as_often_as_it_stands(name):
    stood = [each for each, count in SKEWED.items() for _ in range(count)]
    texts = [f"we met {each.title()} there" for each in stood]
    there = [frozenset({each}) for each in stood]
    pairs = Auxiliary(np.zeros((len(texts), 1), np.float32), texts, texts, "toy", 0)
    encoder, reader = Marking(name), OneName(name)
    own = reader.infer(encoder.encode(texts)).sets
    truth = Truth(texts, [str(row) for row in range(len(texts))])
    charts = by_context(Knowledge(pairs.vectors, pairs, encoder), truth, there, own, reader, 0, silent)
    stands, put_in, absent = (bar.score.value for bar in next(charts).bars)
    assert stands == pytest.approx(SKEWED[name] / len(texts), abs=0.01)
    assert put_in == stands
    assert absent == 0


def test_texts_exchange_names_that_neither_holds():
    own = dict(enumerate(["ann"] * 7 + ["bob"] * 2 + ["cat"]))
    there = [frozenset({name}) for name in own.values()]
    there[8] = frozenset({"bob", "ann"})
    other = exchanged(own, there, np.random.default_rng(0))
    assert Counter(other.values()) == Counter(own[row] for row in other) == {"ann": 2, "bob": 1, "cat": 1}
    assert not any(name in there[row] for row, name in other.items())


class Fake:
    """Takes one word for a person."""

    def __init__(self):
        self.asked = 0

    def entities(self, texts):
        self.asked += len(texts)
        return [[("Zyx", "PERSON"), ("Acme", "ORG")] for _ in texts]


def test_a_tagger_finds_names_that_no_list_has(monkeypatch):
    texts = toy_corpus(400).texts
    corpus = Corpus("toy", [text.replace(" bacox", " Zyx").replace(" badux", " Acme") for text in texts])
    case, tagger = case_of(corpus, SETTINGS, WordSum()), Fake()
    assert isinstance(PROBE.run(case, SETTINGS, silent), NotApplicable)
    monkeypatch.setattr(names, "tagger_here", lambda: tagger)
    monkeypatch.setattr(names, "MOST_TAGGED", 50)
    finding = PROBE.run(case, replace(SETTINGS, show_text=True), silent)
    assert {bar.label for bar in finding.charts[0].bars} == {"zyx"}
    assert tagger.asked == len(case.targets) + 50
    assert finding.charts[0].reading.endswith("Counted are names from lists of the US census and from a tagger.")


def test_without_a_tagger_names_are_those_of_the_lists(finding):
    assert "Counted are names from lists of the US census." in finding.charts[0].reading
