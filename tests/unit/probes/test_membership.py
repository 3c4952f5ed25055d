"""The probe `membership`: toy texts in a toy store."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of, list_unused_queries
from vestige.attacks.membership.index import IndexMembership
from vestige.case.codec import dumps
from vestige.case.findings import Finding, NotApplicable
from vestige.case.inputs import read_inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.probes.membership import MembershipProbe
from vestige.probes.membership_split import MembershipSplit
from vestige.probes.probe import Run
from vestige.text.corpus import Corpus
from vestige.types import Progress, Vectors, silent

PROBE = MembershipProbe("membership", "?")
SETTINGS = Settings(targets=240, pairs=300, shortest=4, queries=5)


@pytest.fixture(scope="module")
def case():
    return case_of(toy_corpus(500), SETTINGS, WordSum())


@pytest.fixture(scope="module")
def finding(case) -> Finding:
    found = PROBE.run(case, Run(SETTINGS))
    assert isinstance(found, Finding)
    return found


def test_texts_in_the_store_are_found_and_the_control_finds_none(finding):
    advantage, auc = finding.measure("advantage"), finding.measure("auc")
    assert advantage.attack.low > 0.8
    assert auc.attack.value > 0.99
    assert advantage.control.low <= 0 <= advantage.control.high
    assert auc.control.low <= 0.5 <= auc.control.high
    assert (advantage.prior.value, auc.prior.value) == (0, 0.5)
    assert finding.leakage == advantage.attack
    assert finding.level == "slight"
    assert finding.warnings == ()
    assert "infers whether it is in the store: 100% of the texts in it are found" in finding.summary


def test_low_rates_are_realised_or_refused_and_the_bound_is_a_lower_bound(finding):
    known, claimed = finding.charts
    assert known.bars[0].label == "word for word, at 1.0%"
    assert all(bar.score.baseline <= 0.01 for bar in known.bars)
    assert "too few to measure a false-positive rate of 0.001; give 1000" in known.reading
    assert "Word for word: The threshold for 1.0% realises" in known.reading
    assert "with an epsilon below" in claimed.reading
    assert "a lower bound, of one run and this attack" in claimed.reading
    shares = {bar.label: bar.score.value for bar in claimed.bars}
    assert shares["in the store, word for word"] == 1
    assert shares["in the store, a word changed"] < 1
    assert shares["not in the store"] < 0.1


def test_every_query_is_counted_once_and_the_estimate_is_no_lower(case, finding):
    split, pairs = MembershipSplit.draw(case.truth, SETTINGS.seed), case.auxiliary["same-domain"]
    encoder = WordSum()
    PROBE.run(replace(case, encoder=encoder), Run(SETTINGS))
    most = len(pairs.texts) // 2 + 3 * len(split.plain) + len(split.all)
    assert 0.9 * most < finding.adversary.queries == sum(encoder.calls) <= most
    targets, known = (Corpus("", texts) for texts in (case.truth.texts, pairs.texts))
    estimated = list(PROBE.estimate_queries(SimpleNamespace(targets=targets, known=known)))
    assert finding.adversary.queries <= len(set(estimated)) == len(estimated)


def test_the_same_seed_gives_the_same_bytes(case, finding):
    assert dumps(PROBE.run(case, Run(SETTINGS))) == dumps(finding)


class Blind(WordSum):
    """Another vector each time, whatever the text: queries say nothing about what is stored."""

    name = identity = "blind"

    def __init__(self) -> None:
        super().__init__()
        self.rng = np.random.default_rng(0)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        progress("encoding", len(texts))(len(texts))
        return self.rng.standard_normal((len(texts), self.dimension)).astype(np.float32)


def test_an_encoder_that_answers_at_random_reveals_nothing():
    answer = PROBE.run(case_of(toy_corpus(500), SETTINGS, Blind()), Run(SETTINGS))
    assert isinstance(answer, Finding)
    assert answer.leakage.low <= 0 <= answer.leakage.high
    assert answer.level in ("none", "unknown")


def test_near_copies_have_a_bar_if_there_are_enough():
    texts = toy_corpus(260, seed=5).sentences(4, 40).texts
    endings = ("", " and so on", " and then", " as well")
    corpus = Corpus("four times", [f"{text[:-1]}{more}." for text in texts[:200] for more in endings])
    settings = replace(SETTINGS, unit="text", targets=400)
    found = PROBE.run(case_of(corpus, settings, WordSum()), Run(settings))
    assert isinstance(found, Finding)
    shares = {bar.label: bar.score.value for bar in found.charts[1].bars}
    assert shares["in the store, with a near copy outside it"] > 0.9
    assert 0 <= shares["not in the store, but a near copy is"] <= 1


@pytest.mark.parametrize(
    ("settings", "encoder", "remedy"),
    [
        (replace(SETTINGS, access="pairs"), WordSum(), "--access queries"),
        (replace(SETTINGS, queries=0), WordSum(), "--queries"),
    ],
)
def test_without_queries_to_the_encoder_the_probe_is_not_applicable(settings, encoder, remedy):
    answer = PROBE.run(case_of(toy_corpus(200), settings, encoder), Run(settings))
    assert isinstance(answer, NotApplicable)
    assert remedy in answer.remedy


def test_too_few_documents_are_not_scored():
    texts = toy_corpus(120).sentences(4, 40).texts
    few = Corpus("few", texts, [str(row // 9) for row in range(len(texts))])
    settings = replace(SETTINGS, unit="text", targets=40)
    answer = PROBE.run(case_of(few, settings, WordSum()), Run(settings))
    assert isinstance(answer, NotApplicable)
    assert "too few for an interval" in answer.reason


def test_the_attack_receives_no_labels(case, monkeypatch):
    """Members and others are queried in the same calls, so that only the answers separate them."""
    calls = []
    monkeypatch.setattr(IndexMembership, "infer", _counting(IndexMembership.infer, calls))
    PROBE.run(case, Run(SETTINGS))
    assert len(calls) == 5
    split = MembershipSplit.draw(case.truth, SETTINGS.seed)
    assert calls[1] == len(split.plain)


def _counting(infer, calls):
    def counted(self, texts, **more):
        calls.append(len(texts))
        return infer(self, texts, **more)

    return counted


def test_stored_vectors_are_enough_for_texts_word_for_word():
    texts = toy_corpus(500).sentences(4, 40)
    inputs = read_inputs(WordSum().encode(texts.texts), texts, None, None, SETTINGS)
    found = PROBE.run(plan_case(inputs, SETTINGS).build(silent), Run(SETTINGS))
    assert isinstance(found, Finding)
    assert found.measure("advantage").attack.low > 0.8
    assert [curve.label for curve in found.roc] == ["word for word"]
    assert "with a word changed" not in found.summary


def test_every_query_that_is_known_beforehand_is_made():
    assert not list_unused_queries(PROBE, SETTINGS, toy_corpus(500))
