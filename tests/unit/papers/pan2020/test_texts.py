"""Targets, shadow corpus, external corpus and keywords."""

import numpy as np
import pytest

from tests.unit.papers.conftest import PAN_SIZES
from vestige.papers.pan2020.texts import (
    ExternalCorpus,
    explain_missing,
    read_external,
    read_public_sentences,
    read_split,
    read_study,
)
from vestige.papers.run import PaperRun
from vestige.text.corpus import Corpus
from vestige.text.keywords import keyword_table

RUN = PaperRun(PAN_SIZES)


def test_no_document_is_on_two_sides_and_a_tenth_is_shadow():
    sides = read_split(RUN, "Medical")
    attacked, shadow = set(sides.targets.documents), set(sides.shadow.documents)
    assert not attacked & shadow
    assert len(shadow) / len(attacked | shadow) == pytest.approx(0.1, abs=0.01)


def test_half_of_the_targets_contain_a_keyword():
    study = read_study(RUN, "Medical")
    assert len(study.keywords) == 10
    held = study.truth.any(axis=1)
    assert held.mean() == 0.5
    assert len(study.shadow) == PAN_SIZES.shadow
    assert not study.tests.untested


def test_the_external_corpus_has_each_sentence_without_and_with_each_keyword():
    external = read_external(RUN, read_public_sentences(RUN), ("leg", "hong kong"), 20)
    assert external.sentences == 20
    assert external.labels.sum(axis=0).tolist() == [20, 20]
    assert not external.labels[:20].any()
    assert external.first(3) == [0, 1, 2, 20, 21, 22, 40, 41, 42]
    assert external.first(99) == list(range(60))
    assert np.array_equal(external.labels, keyword_table(external.corpus.texts, ("leg", "hong kong")))
    assert not any("government" in text.lower() for text in external.corpus.texts[20:])


def test_the_first_sentences_of_blocks_of_unequal_size():
    corpus = Corpus("public", list("aaabcc"))
    labels = np.zeros((6, 2), np.bool_)
    external = ExternalCorpus(corpus, labels, (3, 1, 2), labels)
    assert [external.first(count) for count in (1, 2, 3)] == [[0, 3, 4], [0, 1, 3, 4, 5], [0, 1, 2, 3, 4, 5]]


def test_a_missing_corpus_is_explained(monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    assert "corpus 'lounge_reviews' is not available" in explain_missing(RUN, "Airline")
    assert explain_missing(RUN, "Medical") is None
