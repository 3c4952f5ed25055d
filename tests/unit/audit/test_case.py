"""The truth is locked away."""

from dataclasses import fields

import numpy as np
import pytest

from vestige.audit.case import Auxiliary, Knowledge
from vestige.audit.inputs import Inputs
from vestige.audit.prepare import prepare
from vestige.audit.settings import Settings
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.types import silent

SETTINGS = Settings(targets=60, pairs=300, shortest=4)


@pytest.fixture
def case(corpus, encoder):
    return prepare(Inputs(None, corpus, encoder, None), SETTINGS, silent)


def test_knowledge_has_no_field_for_the_target_texts():
    assert [field.name for field in fields(Knowledge)] == ["targets", "auxiliary"]
    assert [field.name for field in fields(Auxiliary)] == ["vectors", "texts", "source", "queries"]


def test_no_target_text_is_within_reach_of_an_attack(case):
    knowledge = case.knowledge("same-domain")
    assert not set(case.truth.texts) & set(knowledge.auxiliary.texts)
    assert "Truth" not in repr(knowledge)


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
    assert sum(encoder.calls) == 360


def test_text_from_elsewhere_makes_a_second_adversary(corpus, encoder):
    other = Corpus("other", [f"zeta{row} omega{row % 7} theta sigma." for row in range(400)])
    case = prepare(Inputs(None, corpus, encoder, other), SETTINGS, silent)
    assert set(case.auxiliary) == {"same-domain", "cross-domain"}
    assert case.auxiliary["cross-domain"].source == "other"


def test_vectors_without_texts_cannot_be_scored():
    case = prepare(Inputs(np.ones((50, 4), np.float32), None, None, None), SETTINGS, silent)
    assert case.truth is None
    assert "texts behind the vectors" in case.missing["same-domain"][0]


@pytest.mark.parametrize(
    ("texts", "documents", "message"),
    [
        ([f"gabax kocox {row}" for row in range(50)], None, "gives 50 texts .* expected at least 230"),
        ([f"gabax kocox {row}" for row in range(400)], ["one", "two"] * 200, "has 2 documents; expected at least 20"),
    ],
)
def test_too_little_is_refused(encoder, texts, documents, message):
    corpus = Corpus("small", texts, documents or [])
    with pytest.raises(InputError, match=message):
        prepare(Inputs(None, corpus, encoder, None), Settings(unit="text"), silent)
