"""Redaction as a defense, on an encoder that leaks every word by construction."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.case.settings import Settings
from vestige.defend.redacted import RedactingEncoder
from vestige.defend.run import defend
from vestige.text.redaction import Redactor

WORDS = ("balox", "cofex", "dubax")
MASKED = "redact:keywords,mode=mask"
SETTINGS = Settings(targets=100, pairs=400, shortest=4, keywords=WORDS)


@pytest.fixture(autouse=True, scope="module")
def no_library():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.preflight.run.list_public_encoders", tuple)
        yield


def test_redacted_keywords_are_hidden_and_the_rest_is_not():
    limits, defenses = ("keywords<0.3", "recall@10>0.05"), "redact:keywords,redact:keywords,mode=mask"
    chosen = defend(texts=toy_corpus(), encoder=WordSum(), limits=limits, defenses=defenses, settings=SETTINGS)
    before, after = chosen.result["none"], chosen.result[MASKED]
    assert before.leakage["keywords"].low > 0.2  # The attack works without redaction.
    assert after.leakage["keywords"].high < before.leakage["keywords"].low
    assert after.leakage["words"].value > 0.5 * before.leakage["words"].value
    assert chosen.result["redact:keywords"].leakage["keywords"].low > 0.2  # A placeholder tells that there was one.
    assert chosen.result.chosen == MASKED
    assert chosen.redactor == Redactor(("keywords",), mode="mask", keywords=WORDS)
    assert chosen.defense is None
    assert {each.need for each in chosen.result.recommendations} >= {"all words", "the keywords"}


def test_without_an_encoder_redaction_is_not_tried():
    corpus = toy_corpus()
    vectors = WordSum().encode(corpus.texts)
    settings = replace(SETTINGS, probes=("words",))
    result = defend(vectors, texts=corpus, defenses="redact:names,rotation", settings=settings).result
    assert [each.defense for each in result.not_tried] == ["redact:names"]
    assert "--encoder" in result.not_tried[0].remedy


def test_an_adversary_who_queries_gets_vectors_of_redacted_texts():
    redactor = Redactor(("keywords",), keywords=("balox",))
    encoder = RedactingEncoder(WordSum(), redactor)
    assert np.array_equal(encoder.encode(["a balox b"]), WordSum().encode(["a [WORD] b"]))
    assert "keywords" in encoder.identity
