"""The methods to infer training membership, and the choice among them."""

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.probes.cases import case_of
from tests.unit.probes.test_training import LEARNED, OWN, SETTINGS, Memorising, texts_of_many_words, word_vectors
from vestige.probes.training_methods import FOLDS, TrainingMethods, score_from_text, split_folds
from vestige.text.corpus import Corpus
from vestige.types import silent


@pytest.fixture(scope="module")
def case():
    return case_of(OWN, SETTINGS, Memorising(LEARNED), trained_on=LEARNED)


def test_the_control_is_high_if_labels_are_not_shuffled(case, monkeypatch):
    monkeypatch.setattr("vestige.probes.training_methods.shuffle_membership", lambda training, _rng: training)
    methods = TrainingMethods.query(case.encoder, case.training, SETTINGS, silent, by_words=False)
    unshuffled = methods.score_control(case.training, SETTINGS, silent)
    assert min(each.documents.signed(0).value for each in unshuffled) > 0.5


def test_the_method_is_chosen_on_documents_whose_membership_is_known():
    learned, own = texts_of_many_words(80, 1), texts_of_many_words(150, 2)
    encoder = word_vectors(learned)
    training = case_of(own, SETTINGS, encoder, trained_on=learned).training
    methods = TrainingMethods.query(encoder, training, SETTINGS, silent, by_words=True)
    assert methods.choose(training, SETTINGS, silent) == "words"
    hidden = replace(training, members=np.where(training.known, training.members, ~training.members))
    assert methods.choose(hidden, SETTINGS, silent) == "words"
    turned = replace(training, members=~training.members)
    ours, theirs = (methods.near.score(each).documents.scores for each in (training, turned))
    assert theirs == pytest.approx(-ours)
    unknown = [
        name
        for fold in split_folds(training)
        for name in dict.fromkeys(fold.sentences.take(np.flatnonzero(~fold.known)).documents)
    ]
    assert sorted(unknown) == sorted(set(np.array(training.sentences.documents)[training.known].tolist()))
    assert len(list(split_folds(training))) == FOLDS


def test_a_classifier_of_the_texts_separates_texts_of_another_kind():
    other = Corpus("other", [text.replace("x", "z") for text in LEARNED.texts])
    training = case_of(OWN, SETTINGS, Memorising(LEARNED), trained_on=other).training
    assert score_from_text(training, SETTINGS).documents.summarize(0).advantage.value > 0.9
