"""Scores of documents whose membership in the training data is in question."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.probes.cases import case_of
from tests.unit.probes.test_training import LEARNED, OWN, SETTINGS, Memorising, word_vectors
from vestige.encoders.saved import SavedEncoder
from vestige.probes.training_scores import (
    ScoredRows,
    TrainingScores,
    averages_words,
    measure_word_proximity,
    reduce_dimension,
    shuffle_membership,
)
from vestige.text.corpus import Corpus
from vestige.types import silent


@pytest.fixture(scope="module")
def case():
    return case_of(OWN, SETTINGS, Memorising(LEARNED), trained_on=LEARNED)


def test_shuffled_labels_carry_no_information_and_the_truth_stays(case):
    training = case.training
    shuffled = shuffle_membership(training, np.random.default_rng(0))
    assert (shuffled.members == training.members)[~training.known].all()
    flags = {}
    for name, *each in zip(
        shuffled.sentences.documents, shuffled.members, training.members, shuffled.known, strict=True
    ):
        assert flags.setdefault(name, each) == each
    called = [(called, truly) for called, truly, known in flags.values() if known]
    assert [called.count(pair) for pair in ((True, True), (False, True))] == [5, 5]
    assert [called.count(pair) for pair in ((True, False), (False, False))] == [8, 7]


def test_reversed_scores_have_a_negative_advantage_by_hand():
    members = np.repeat([True, False], 10)
    rows = ScoredRows(np.arange(20.0), [str(row) for row in range(20)], members)
    assert rows.signed(0).value == -1
    assert replace(rows, members=~members).signed(0).value == 1
    assert rows.summarize(0).advantage.value == 0


def test_the_mean_over_the_windows_of_a_document_by_hand():
    """Windows of five of six and seven words: two and three of them, and none of the short sentence."""
    sentences = Corpus("s", ["w1 w2 w3 w4 w5 w6", "w7 w8", "w9 w10 w11 w12 w13 w14 w15"], ["a", "a", "a"])
    near = measure_word_proximity(word_vectors(None), sentences, SETTINGS, silent)
    assert near.windows.tolist() == [2, 0, 3]
    assert measure_word_proximity(word_vectors(None), Corpus("s", ["un kn ow n words"]), SETTINGS, silent) is None
    assert not averages_words(WordSum())


def test_scores_are_aligned_with_the_documents_in_question(case):
    training = case.training
    unknown = int((~training.known).sum())
    documents = len(set(np.array(training.sentences.documents)[~training.known].tolist()))
    scores = TrainingScores.align(np.zeros(unknown - documents), np.arange(float(documents)), training)
    assert len(scores.pairs.documents) == unknown - documents
    assert scores.lengths.sum() == unknown
    assert scores.documents.members.tolist() == [name.startswith("learned") for name in scores.documents.documents]


def test_no_more_directions_are_kept_than_the_known_sentences_support(case):
    most = int(case.training.known.sum()) // 5
    vectors = np.random.default_rng(0).normal(size=(len(case.training.sentences), 2 * most)).astype(np.float32)
    assert reduce_dimension(vectors, case.training, SETTINGS).shape[1] == most
    assert reduce_dimension(vectors, case.training, replace(SETTINGS, recipe="paper")) is vectors


def test_an_encoder_of_word_means_is_recognised_through_its_wrappers():
    assert averages_words(word_vectors(None))
    assert averages_words(SavedEncoder(word_vectors(None), "saved:mine"))
    assert not averages_words(WordSum())
