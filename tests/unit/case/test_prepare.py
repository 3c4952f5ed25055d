"""From inputs to a case: who holds what is decided before anything is encoded."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.case.inputs import Inputs, read_inputs
from vestige.case.prepare import REPEATED, check_consent, plan_case
from vestige.case.settings import Settings
from vestige.encoders.load import load_encoder
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.words import content_words
from vestige.types import silent

SETTINGS = Settings(targets=60, pairs=300, shortest=4)


@pytest.fixture
def case(corpus, encoder):
    return plan_case(Inputs(None, corpus, encoder, None), SETTINGS).build(silent)


def test_no_target_text_is_within_reach_of_an_attack(case):
    knowledge = case.knowledge("same-domain")
    assert not set(case.truth.texts) & set(knowledge.auxiliary.texts)


def test_the_attributes_within_reach_are_those_of_the_adversarys_own_texts(corpus, encoder):
    labelled = replace(corpus, attributes={"label": [f"{row % 2}" for row in range(len(corpus))]})
    case = plan_case(Inputs(None, labelled, encoder, None), SETTINGS).build(silent)
    sentences = labelled.sentences(4, 40)
    label = dict(zip(sentences.texts, sentences.attributes["label"], strict=True))
    pairs = case.knowledge("same-domain").auxiliary
    assert pairs.attributes == {"label": [label[text] for text in pairs.texts]}
    assert case.truth.attributes == {"label": [label[text] for text in case.truth.texts]}
    assert pairs.take([3, 1]).attributes["label"] == [pairs.attributes["label"][row] for row in (3, 1)]


def test_no_document_is_on_both_sides(corpus, encoder):
    case = plan_case(Inputs(None, corpus, encoder, None), SETTINGS).build(silent)
    sentences = corpus.sentences(4, 40)
    owner = dict(zip(sentences.texts, sentences.documents, strict=True))
    assert not {owner[text] for text in case.auxiliary["same-domain"].texts} & set(case.truth.documents)


def test_the_adversary_has_no_copy_of_a_target(encoder):
    texts = [f"gabax kocox {row} dufex" for row in range(300)]
    corpus = Corpus("c", texts + [text.upper() for text in texts], [str(row) for row in range(600)])
    case = plan_case(Inputs(None, corpus, encoder, None), Settings(targets=60, pairs=600, unit="text")).build(silent)
    held = {text.lower() for text in case.auxiliary["same-domain"].texts}
    assert not held & {text.lower() for text in case.truth.texts}


def test_vectors_the_owner_has_are_used_row_by_row(corpus, encoder):
    vectors = encoder.encode(corpus.texts)
    calls = len(encoder.calls)
    case = plan_case(Inputs(vectors, corpus, None, None), SETTINGS).build(silent)
    row = corpus.texts.index(case.truth.texts[3])
    assert (case.targets[3] == vectors[row]).all()
    assert case.auxiliary["same-domain"].queries == 0
    assert len(encoder.calls) == calls


def test_queries_are_counted_for_the_adversary_and_not_for_the_owner(case, encoder):
    assert case.auxiliary["same-domain"].queries == 300
    assert encoder.calls == [1, 60, 300]


def test_no_text_of_a_deterministic_encoder_is_computed_again(case, encoder):
    before = sum(encoder.calls)
    found = case.encoder.encode([*case.truth.texts, *case.auxiliary["same-domain"].texts])
    assert sum(encoder.calls) == before + REPEATED
    assert (found[: len(case.targets)] == case.targets).all()


def test_the_targets_of_an_encoder_that_varies_are_computed_again(corpus):
    class Varying(WordSum):
        def encode(self, texts, *, progress=silent):
            return super().encode(texts, progress=progress) + len(self.calls)

    encoder = Varying()
    case = plan_case(Inputs(None, corpus, encoder, None), SETTINGS).build(silent)
    assert (case.encoder.encode(case.truth.texts) != case.targets).any()


def test_texts_without_vectors_are_the_adversarys_too(case):
    held = case.auxiliary["same-domain"]
    assert held.further
    assert not {*held.further} & {*held.texts, *case.truth.texts}
    assert held.all_texts == [*held.texts, *held.further]


def test_cross_domain_text_makes_a_second_adversary(corpus, encoder):
    other = Corpus("other", [f"zeta{row} omega{row % 7} theta sigma." for row in range(400)])
    case = plan_case(Inputs(None, corpus, encoder, other), SETTINGS).build(silent)
    assert set(case.auxiliary) == {"same-domain", "cross-domain"}
    assert case.auxiliary["cross-domain"].source == "other"


def test_vectors_without_texts_cannot_be_scored():
    case = plan_case(Inputs(np.ones((50, 4), np.float32), None, None, None), SETTINGS).build(silent)
    assert case.truth is None
    assert "texts behind the vectors" in case.missing["same-domain"].reason
    assert "leave 12 to attack and 0 to compare them with" in case.vectors_only.reason


def test_twenty_documents_are_enough(encoder):
    corpus = Corpus("few", [f"gabax kocox {row} dufex" for row in range(400)], [str(row // 20) for row in range(400)])
    case = plan_case(Inputs(None, corpus, encoder, None), Settings(unit="text")).build(silent)
    assert len(set(case.truth.documents)) == 10


@pytest.mark.parametrize(
    ("texts", "documents", "message"),
    [
        ([f"gabax kocox {row}" for row in range(19)], None, "has 19 documents .* expected at least 20"),
        ([f"gabax kocox {row}" for row in range(60)], None, "leave 15 to attack and 45 to learn from; expected at"),
        (["the of and"] * 400, None, "has 0 documents with content words"),
        (
            [f"gabax kocox {row}" for row in range(400)],
            ["one", "two"] * 200,
            "has 2 documents with content words; expected at least 20",
        ),
        (
            [f"gabax kocox {row}" for row in range(5150)],
            [str(row % 10 if row < 5000 else 10 + row % 30) for row in range(5150)],
            "are from fewer than 10 documents",
        ),
    ],
)
def test_too_little_is_refused(encoder, texts, documents, message):
    corpus = Corpus("small", texts, documents or [])
    with pytest.raises(InputError, match=message):
        plan_case(Inputs(None, corpus, encoder, None), Settings(unit="text", targets=30)).build(silent)
    assert encoder.calls == []


def test_too_little_auxiliary_text_is_refused_before_anything_is_encoded(corpus, encoder):
    with pytest.raises(InputError, match="other gives 1 auxiliary texts"):
        plan_case(Inputs(None, corpus, encoder, Corpus("other", ["zeta omega theta sigma."])), SETTINGS).build(silent)
    assert encoder.calls == []


def test_with_few_pairs_only_the_cross_domain_adversary_remains(encoder):
    few = Corpus("few", [f"gabax kocox {row} dufex" for row in range(120)])
    other = Corpus("other", [f"zeta{row} omega{row % 7} theta sigma." for row in range(400)])
    case = plan_case(Inputs(None, few, encoder, other), Settings(unit="text")).build(silent)
    assert set(case.auxiliary) == {"cross-domain"}
    assert "leave 30 to attack and 90 to learn from" in case.missing["same-domain"].reason


def test_text_without_spaces_is_refused(encoder):
    chinese = Corpus("zh", [f"银行没有回答我的问题{row}" for row in range(400)])
    with pytest.raises(InputError, match="zh is written without spaces"):
        plan_case(Inputs(None, chinese, encoder, None), Settings(unit="text")).build(silent)


def test_documents_under_attack_never_come_back_as_cross_domain_text(corpus, encoder):
    case = plan_case(Inputs(None, corpus, encoder, corpus), SETTINGS).build(silent)
    attacked = {tuple(content_words(text)) for text in case.truth.texts}
    assert not attacked & {tuple(content_words(text)) for text in case.auxiliary["cross-domain"].texts}
    sentences = corpus.sentences(4, 40)
    owner = dict(zip(sentences.texts, sentences.documents, strict=True))
    assert not {owner[text] for text in case.auxiliary["cross-domain"].texts} & set(case.truth.documents)


@pytest.mark.parametrize(("repeat", "cut"), [(1, False), (20, True)])
def test_cross_domain_text_is_cut_like_the_owners_vectors(encoder, repeat, cut):
    owned = Corpus("owned", [f"gabax kocox {row}. dufex lomux {row}. " * repeat for row in range(300)])
    other = Corpus("other", [f"Zeta{row} omega theta sigma delta. Rho tau phi chi psi{row}." for row in range(400)])
    settings = Settings(targets=60, shortest=4)
    case = plan_case(Inputs(encoder.encode(owned.texts), owned, encoder, other), settings).build(silent)
    texts = case.auxiliary["cross-domain"].texts
    assert (len(texts) == 400) is cut


def test_a_plan_encodes_nothing_and_says_what_will_be_encoded(corpus, encoder):
    other = Corpus("other", [f"zeta{row} omega{row % 7} theta sigma." for row in range(400)])
    plan = plan_case(Inputs(None, corpus, encoder, other), SETTINGS)
    assert [len(part) for part in (plan.targets, plan.known, plan.foreign)] == [60, 300, 300]
    assert plan.texts_to_encode == [*plan.targets.texts, *plan.known.texts, *plan.foreign.texts]
    assert plan.auxiliary == [plan.known, plan.foreign]
    stored = plan_case(Inputs(encoder.encode(corpus.texts), corpus, encoder, other), SETTINGS)
    assert stored.texts_to_encode == stored.foreign.texts
    assert encoder.calls == [len(corpus)]


def fail(*_args, **_kwargs):
    raise AssertionError("a text was sent")


def test_nothing_is_sent_to_another_machine_before_the_owner_consents(corpus, monkeypatch):
    monkeypatch.setattr("httpx.Client.send", fail)
    remote = load_encoder("https://example.org/v1#toy")
    plan = plan_case(Inputs(None, corpus, remote, None), replace(SETTINGS, queries=5))
    assert plan.no_queries is None
    with pytest.raises(InputError, match=r"would send 363 texts, .*nothing was sent") as refused:
        check_consent(plan, ["a query", "another"], ["a check"], send=False)
    assert "gabax" not in str(refused.value)
    check_consent(plan, ["a query"], [], send=True)


def test_queries_that_are_not_allowed_are_not_part_of_the_estimate(corpus):
    plan = plan_case(Inputs(None, corpus, load_encoder("https://example.org/v1#toy"), None), SETTINGS)
    assert "sent and paid for" in plan.no_queries.reason
    with pytest.raises(InputError, match="would send 360 texts"):
        check_consent(plan, ["a query", "another"], [], send=False)


def test_an_encoder_on_this_machine_needs_no_consent(corpus, encoder):
    check_consent(plan_case(Inputs(None, corpus, encoder, None), SETTINGS), ["a query"], [], send=False)


@pytest.mark.parametrize(
    ("settings", "remedy"),
    [({"access": "pairs"}, "--access queries"), ({"queries": 0}, "allow some with --queries")],
)
def test_a_plan_says_why_the_encoder_cannot_be_queried(corpus, encoder, settings, remedy):
    plan = plan_case(Inputs(None, corpus, encoder, None), replace(SETTINGS, **settings))
    assert remedy in plan.no_queries.remedy
    case = plan.build(silent)
    assert case.encoder is None
    assert case.no_queries == plan.no_queries


def test_counts_too_wide_for_memory_are_refused_before_they_are_made(corpus):
    encoder = load_encoder("hashing:4000000", corpus=corpus)
    with pytest.raises(InputError, match=r"gives 4,000,000 columns, and an audit of .* needs about .* GB"):
        plan_case(Inputs(None, corpus, encoder, None), SETTINGS).build(silent)


def test_every_skipped_text_is_counted_and_explained():
    chinese = [f"我的银行账户上个月被盗了，第{row}次投诉也没有人回复我。" for row in range(30)]
    corpus = toy_corpus(300)
    mixed = Corpus(
        "mixed", [*corpus.texts, *chinese, *["too short."] * 5], [*corpus.documents, *map(str, range(900, 935))]
    )
    settings = Settings(targets=50, pairs=200)
    plan = plan_case(read_inputs(None, mixed, WordSum(), None, settings), settings)
    assert plan.skipped == {"written without spaces between words": 30, "of fewer than 8 words": 5}
    (skipped, *_) = plan.describe_texts()
    assert skipped == (
        "Skipped: 35 of 935 sentences: 30 written without spaces between words, 5 of fewer than 8 words."
    )
    vectors = np.random.default_rng(0).normal(size=(len(mixed), 8))
    plan = plan_case(read_inputs(vectors, mixed, None, None, settings), settings)
    assert plan.skipped == {"written without spaces between words": 30}
    assert plan.build(silent).subject.left_out == 30
