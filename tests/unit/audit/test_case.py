"""The truth is locked away."""

from dataclasses import fields, replace

import numpy as np
import pytest

from vestige.case.case import Auxiliary, Knowledge
from vestige.case.inputs import Inputs
from vestige.case.prepare import prepare
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.words import content_words
from vestige.types import silent

SETTINGS = Settings(targets=60, pairs=300, shortest=4)


@pytest.fixture
def case(corpus, encoder):
    return prepare(Inputs(None, corpus, encoder, None), SETTINGS, silent)


def test_knowledge_has_no_field_for_the_target_texts():
    assert [field.name for field in fields(Knowledge)] == ["targets", "auxiliary", "encoder"]
    assert [field.name for field in fields(Auxiliary)] == [
        "vectors",
        "texts",
        "documents",
        "source",
        "queries",
        "attributes",
    ]


def test_no_target_text_is_within_reach_of_an_attack(case):
    knowledge = case.knowledge("same-domain")
    assert not set(case.truth.texts) & set(knowledge.auxiliary.texts)


def test_the_attributes_within_reach_are_those_of_the_strangers_own_texts(corpus, encoder):
    labelled = replace(corpus, attributes={"label": [f"{row % 2}" for row in range(len(corpus))]})
    case = prepare(Inputs(None, labelled, encoder, None), SETTINGS, silent)
    sentences = labelled.sentences(4, 40)
    label = dict(zip(sentences.texts, sentences.attributes["label"], strict=True))
    pairs = case.knowledge("same-domain").auxiliary
    assert pairs.attributes == {"label": [label[text] for text in pairs.texts]}
    assert case.truth.attributes == {"label": [label[text] for text in case.truth.texts]}
    assert pairs.take([3, 1]).attributes["label"] == [pairs.attributes["label"][row] for row in (3, 1)]


def test_no_document_is_on_both_sides(corpus, encoder):
    case = prepare(Inputs(None, corpus, encoder, None), SETTINGS, silent)
    sentences = corpus.sentences(4, 40)
    owner = dict(zip(sentences.texts, sentences.documents, strict=True))
    assert not {owner[text] for text in case.auxiliary["same-domain"].texts} & set(case.truth.documents)


def test_copies_of_a_target_are_taken_from_the_adversary(encoder):
    texts = [f"gabax kocox {row} dufex" for row in range(300)]
    corpus = Corpus("c", texts + [text.upper() for text in texts], [str(row) for row in range(600)])
    case = prepare(Inputs(None, corpus, encoder, None), Settings(targets=60, pairs=600, unit="text"), silent)
    held = {text.lower() for text in case.auxiliary["same-domain"].texts}
    assert not held & {text.lower() for text in case.truth.texts}


def test_vectors_the_owner_has_are_used_row_by_row(corpus, encoder):
    vectors = encoder.encode(corpus.texts)
    asked = len(encoder.calls)
    case = prepare(Inputs(vectors, corpus, None, None), SETTINGS, silent)
    row = corpus.texts.index(case.truth.texts[3])
    assert (case.targets[3] == vectors[row]).all()
    assert case.auxiliary["same-domain"].queries == 0
    assert len(encoder.calls) == asked


def test_queries_are_counted_for_the_adversary_and_not_for_the_owner(case, encoder):
    assert case.auxiliary["same-domain"].queries == 300
    assert encoder.calls == [1, 60, 300]


def test_text_from_elsewhere_makes_a_second_adversary(corpus, encoder):
    other = Corpus("other", [f"zeta{row} omega{row % 7} theta sigma." for row in range(400)])
    case = prepare(Inputs(None, corpus, encoder, other), SETTINGS, silent)
    assert set(case.auxiliary) == {"same-domain", "cross-domain"}
    assert case.auxiliary["cross-domain"].source == "other"


def test_vectors_without_texts_cannot_be_scored():
    case = prepare(Inputs(np.ones((50, 4), np.float32), None, None, None), SETTINGS, silent)
    assert case.truth is None
    assert "texts behind the vectors" in case.missing["same-domain"].reason
    assert "leave 12 to attack and 0 to hold against them" in case.unread.reason


def test_twenty_documents_are_enough(encoder):
    corpus = Corpus("few", [f"gabax kocox {row} dufex" for row in range(400)], [str(row // 20) for row in range(400)])
    case = prepare(Inputs(None, corpus, encoder, None), Settings(unit="text"), silent)
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
            "lie in fewer than 10 documents",
        ),
    ],
)
def test_too_little_is_refused(encoder, texts, documents, message):
    corpus = Corpus("small", texts, documents or [])
    with pytest.raises(InputError, match=message):
        prepare(Inputs(None, corpus, encoder, None), Settings(unit="text", targets=30), silent)
    assert encoder.calls == []


def test_too_little_auxiliary_text_is_refused_before_anything_is_encoded(corpus, encoder):
    with pytest.raises(InputError, match="other gives 1 auxiliary texts"):
        prepare(Inputs(None, corpus, encoder, Corpus("other", ["zeta omega theta sigma."])), SETTINGS, silent)
    assert encoder.calls == []


def test_few_pairs_leave_the_stranger_from_elsewhere(encoder):
    few = Corpus("few", [f"gabax kocox {row} dufex" for row in range(120)])
    other = Corpus("other", [f"zeta{row} omega{row % 7} theta sigma." for row in range(400)])
    case = prepare(Inputs(None, few, encoder, other), Settings(unit="text"), silent)
    assert set(case.auxiliary) == {"cross-domain"}
    assert "leave 30 to attack and 90 to learn from" in case.missing["same-domain"].reason


def test_text_without_spaces_is_refused(encoder):
    chinese = Corpus("zh", [f"银行没有回答我的问题{row}" for row in range(400)])
    with pytest.raises(InputError, match="zh is written without spaces"):
        prepare(Inputs(None, chinese, encoder, None), Settings(unit="text"), silent)


def test_documents_under_attack_never_come_back_as_text_from_elsewhere(corpus, encoder):
    case = prepare(Inputs(None, corpus, encoder, corpus), SETTINGS, silent)
    attacked = {tuple(content_words(text)) for text in case.truth.texts}
    assert not attacked & {tuple(content_words(text)) for text in case.auxiliary["cross-domain"].texts}
    sentences = corpus.sentences(4, 40)
    owner = dict(zip(sentences.texts, sentences.documents, strict=True))
    assert not {owner[text] for text in case.auxiliary["cross-domain"].texts} & set(case.truth.documents)


@pytest.mark.parametrize(("repeat", "cut"), [(1, False), (20, True)])
def test_the_strangers_text_is_cut_as_the_owners_vectors_are(encoder, repeat, cut):
    owned = Corpus("owned", [f"gabax kocox {row}. dufex lomux {row}. " * repeat for row in range(300)])
    other = Corpus("other", [f"Zeta{row} omega theta sigma delta. Rho tau phi chi psi{row}." for row in range(400)])
    settings = Settings(targets=60, shortest=4)
    case = prepare(Inputs(encoder.encode(owned.texts), owned, encoder, other), settings, silent)
    texts = case.auxiliary["cross-domain"].texts
    assert (len(texts) == 400) is cut
