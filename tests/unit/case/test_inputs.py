"""Inputs are read and checked before any work starts."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.case.inputs import Inputs, build_subject, check_settings, read_inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.encoders.cached import CachedEncoder
from vestige.errors import InputError
from vestige.text.corpus import Corpus

SETTINGS = Settings()
VECTORS = np.eye(5, 3) + 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None, "complaints", None, None), "name the encoder"),
        ((VECTORS, ["a"] * 4, None, None), "vectors has 5 rows but texts has 4 texts"),
        ((VECTORS, None, None, ["a"]), "auxiliary text requires vectors of its own"),
        ((None, "complaints", "minlm", None), "did you mean 'minilm'"),
    ],
)
def test_inputs_that_cannot_be_audited_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        read_inputs(*arguments, SETTINGS)


def test_precision_requires_an_encoder_that_is_named():
    with pytest.raises(InputError, match="precision can be chosen only for an encoder that is named"):
        read_inputs(None, toy_corpus(), WordSum(), None, Settings(precision="bf16"))


def test_inputs_in_memory_cannot_be_named_on_a_command_line(encoder):
    inputs = read_inputs(None, ["a text"], encoder, None, SETTINGS)
    assert not inputs.named
    assert inputs.texts == Corpus("texts", ["a text"])
    assert encoder.calls == []


def test_the_same_texts_give_the_same_case_in_any_order_and_with_or_without_vectors(encoder, tmp_path):
    texts, settings = list(dict.fromkeys(toy_corpus().sentences().texts))[:600], replace(SETTINGS, unit="text")
    vectors = encoder.encode(texts)
    np.save(tmp_path / "v.npy", vectors)
    forms = [(None, texts), (None, texts[::-1]), (vectors, texts), (tmp_path / "v.npy", texts)]
    plans = [plan_case(read_inputs(given, own, encoder, None, settings), settings) for given, own in forms]
    assert len(plans[0].targets) == 150
    for plan in plans[1:]:
        for side in ("targets", "known"):
            first, other = getattr(plans[0], side), getattr(plan, side)
            assert (other.texts, other.documents) == (first.texts, first.documents)


def test_the_vectors_are_cached_in_the_folder(encoder, tmp_path):
    inputs = Inputs(None, toy_corpus(), encoder, None).cache_vectors(tmp_path)
    assert isinstance(inputs.encoder, CachedEncoder)
    assert Inputs(np.ones((2, 2)), None, None, None).cache_vectors(tmp_path).encoder is None


@pytest.mark.parametrize("keywords", [("Chest", "chest"), ("...",)])
def test_keywords_that_cannot_be_searched_for_are_refused(keywords):
    with pytest.raises(InputError, match="keyword"):
        check_settings(Settings(keywords=keywords))


def test_the_subject_counts_texts_documents_and_targets(encoder):
    units = Corpus("letters", ["a", "b", "c"], ["1", "1", "2"])
    targets = np.ones((2, 7), np.float32)
    subject = build_subject(Inputs(None, units, encoder, None), units, ["1", "1"], targets, left_out=4)
    assert (subject.texts, subject.documents, subject.target_texts, subject.target_documents) == (3, 2, 2, 1)
    assert (subject.corpus, subject.encoder, subject.dimension, subject.left_out) == ("letters", "word-sum", 7, 4)
