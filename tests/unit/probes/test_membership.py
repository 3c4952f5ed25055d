"""The probe `membership`: toy texts in a toy store."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.attacks.membership.index import IndexMembership
from vestige.audit.asking import to_be_asked
from vestige.case.case import Truth
from vestige.case.codec import dumps
from vestige.case.findings import Finding, NotApplicable
from vestige.case.inputs import read_inputs
from vestige.case.prepare import prepare
from vestige.case.settings import Settings
from vestige.probes.membership import MembershipProbe
from vestige.probes.membership_answers import Answers
from vestige.probes.membership_parties import Parties
from vestige.text.corpus import Corpus
from vestige.text.words import content_words
from vestige.types import Progress, Vectors, silent

PROBE = MembershipProbe("membership", "?")
SETTINGS = Settings(targets=240, pairs=300, shortest=4, queries=5)


@pytest.fixture(scope="module")
def case():
    return case_of(toy_corpus(500), SETTINGS, WordSum())


@pytest.fixture(scope="module")
def finding(case) -> Finding:
    found = PROBE.run(case, SETTINGS, silent)
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
    assert "tells whether it is in the store: 100% of the texts in it are found" in finding.summary


def test_low_rates_are_realised_or_refused_and_a_bound_is_no_more_than_that(finding):
    known, said = finding.charts
    assert known.bars[0].label == "word for word, at 1.0%"
    assert all(bar.score.baseline <= 0.01 for bar in known.bars)
    assert "cannot tell a false-positive rate of 0.001; give 1000" in known.reading
    assert "Word for word: Asked for 1.0%, the threshold gives" in known.reading
    assert "with an epsilon below" in said.reading
    assert "a lower bound, of one run and this attack" in said.reading
    shares = {bar.label: bar.score.value for bar in said.bars}
    assert shares["in the store, word for word"] == 1
    assert shares["in the store, a word changed"] < 1
    assert shares["not in the store"] < 0.1


def test_every_text_that_was_asked_is_counted_once_and_an_estimate_is_no_less(case, finding):
    parties, pairs = Parties.of(case.truth, SETTINGS.seed), case.auxiliary["same-domain"]
    encoder = WordSum()
    PROBE.run(replace(case, encoder=encoder), SETTINGS, silent)
    most = len(pairs.texts) // 2 + 3 * len(parties.plain) + len(parties.all)
    assert 0.9 * most < finding.adversary.queries == sum(encoder.calls) <= most
    truth, own = (Corpus("", texts) for texts in (case.truth.texts, pairs.texts))
    told = [text for text in to_be_asked(truth, [own], case.training, SETTINGS) if "in a store" in text]
    assert finding.adversary.queries <= len(set(told)) == len(told)


def test_the_same_seed_gives_the_same_bytes(case, finding):
    assert dumps(PROBE.run(case, SETTINGS, silent)) == dumps(finding)


class Blind(WordSum):
    """Another vector each time, whatever the text: what it is asked says nothing of what a store holds."""

    name = identity = "blind"

    def __init__(self) -> None:
        super().__init__()
        self.rng = np.random.default_rng(0)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        progress("encoding", len(texts))(len(texts))
        return self.rng.standard_normal((len(texts), self.dimension)).astype(np.float32)


def test_an_encoder_that_answers_at_random_tells_nothing():
    answer = PROBE.run(case_of(toy_corpus(500), SETTINGS, Blind()), SETTINGS, silent)
    assert isinstance(answer, Finding)
    assert answer.leakage.low <= 0 <= answer.leakage.high
    assert answer.level in ("none", "unknown")


def test_near_copies_are_told_apart_and_stay_out_of_the_figures():
    texts = toy_corpus(200, seed=5).sentences(4, 40).texts[:200]
    twice = Truth([*texts, *texts[:80]], [str(row) for row in range(280)])
    parties = Parties.of(twice, 0)
    inside = set(parties.kept)
    sets = [content_words(text) for text in twice.texts]

    def shared(row, others):
        return max(len(sets[row] & sets[other]) / len(sets[row] | sets[other]) for other in others) > 0.7

    outside = [row for row in range(280) if row not in inside]
    assert parties.near
    assert parties.copied
    assert all(shared(row, parties.kept) for row in parties.near)
    assert all(shared(row, outside) for row in parties.copied)
    assert not any(shared(row, parties.kept) for row in parties.others)
    assert not any(shared(row, outside) for row in parties.members)
    assert inside.isdisjoint(parties.others)
    assert inside.issuperset(parties.members)


def test_a_near_copy_is_a_bar_of_its_own_where_there_are_enough():
    texts = toy_corpus(260, seed=5).sentences(4, 40).texts
    said = ("", " and so on", " and then", " as well")
    corpus = Corpus("four times", [f"{text[:-1]}{more}." for text in texts[:200] for more in said])
    settings = replace(SETTINGS, unit="text", targets=400)
    found = PROBE.run(case_of(corpus, settings, WordSum()), settings, silent)
    assert isinstance(found, Finding)
    shares = {bar.label: bar.score.value for bar in found.charts[1].bars}
    assert shares["in the store, and a near copy elsewhere"] > 0.9
    assert 0 <= shares["not in the store, but a near copy is"] <= 1


def test_the_bound_takes_one_text_a_document():
    truth = Truth(["x"] * 80, [str(row // 2) for row in range(80)])
    parties = Parties([*range(40)], [*range(40)], [*range(40, 80)], [], [])
    scores = {row: float(row < 40) for row in range(80)}
    bound = Answers(truth, scores, 0.5, 0).proved(parties)
    assert (bound.members, bound.others) == (20, 20)
    # Of 20, all are found: at least 0.025 ** (1 / 20) in truth; of 20 none is accused: at most 1 less that.
    least = 0.025 ** (1 / 20)
    assert bound.at_least == pytest.approx(np.log(least / (1 - least)), abs=1e-6)


def test_the_share_said_to_be_there_by_hand():
    truth = Truth(["x"] * 20, [str(row) for row in range(20)])
    answers = Answers(truth, {row: float(row) for row in range(20)}, 15.0, 0)
    assert answers.said(range(20)).value == 0.25


@pytest.mark.parametrize(
    ("settings", "encoder", "remedy"),
    [
        (replace(SETTINGS, access="pairs"), WordSum(), "--access queries"),
        (replace(SETTINGS, queries=0), WordSum(), "--queries"),
    ],
)
def test_without_an_encoder_to_ask_nothing_is_asked(settings, encoder, remedy):
    answer = PROBE.run(case_of(toy_corpus(200), settings, encoder), settings, silent)
    assert isinstance(answer, NotApplicable)
    assert remedy in answer.remedy


def test_too_few_documents_are_not_scored():
    texts = toy_corpus(120).sentences(4, 40).texts
    few = Corpus("few", texts, [str(row // 9) for row in range(len(texts))])
    settings = replace(SETTINGS, unit="text", targets=40)
    answer = PROBE.run(case_of(few, settings, WordSum()), settings, silent)
    assert isinstance(answer, NotApplicable)
    assert "too few for an interval" in answer.reason


def test_the_attack_is_handed_no_label(case, monkeypatch):
    """Members and others are asked for in the same calls, so that nothing but the answers tells them apart."""
    calls = []
    monkeypatch.setattr(IndexMembership, "infer", _counting(IndexMembership.infer, calls))
    PROBE.run(case, SETTINGS, silent)
    assert len(calls) == 5
    parties = Parties.of(case.truth, SETTINGS.seed)
    assert calls[1] == len(parties.plain)


def _counting(infer, calls):
    def counted(self, texts, **more):
        calls.append(len(texts))
        return infer(self, texts, **more)

    return counted


def test_vectors_alone_are_enough_where_texts_are_asked_for_word_for_word():
    texts = toy_corpus(500).sentences(4, 40)
    inputs = read_inputs(WordSum().encode(texts.texts), texts, None, None, SETTINGS)
    found = PROBE.run(prepare(inputs, SETTINGS, silent), SETTINGS, silent)
    assert isinstance(found, Finding)
    assert found.measure("advantage").attack.low > 0.8
    assert [curve.label for curve in found.roc] == ["word for word"]
    assert "with a word changed" not in found.summary
