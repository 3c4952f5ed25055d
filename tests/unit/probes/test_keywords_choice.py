"""Which keywords are scored, and why others are skipped."""

import numpy as np

from tests.unit.probes.test_keywords import Fake
from vestige.case.case import Auxiliary, Knowledge, Truth
from vestige.case.settings import Settings
from vestige.probes import keywords_choice
from vestige.probes.keywords_choice import KeywordChoice, choose_keywords, quote_labels


def test_at_most_five_keywords_are_named():
    assert quote_labels("a") == "“a”"
    assert quote_labels("abc") == "“a”, “b” and “c”"
    assert quote_labels("abcdefg") == "“a”, “b”, “c”, “d”, “e” and 2 more"


def test_sensitive_words_come_before_what_a_tagger_finds(monkeypatch):
    texts = ["Cancer in Oslo.", "Oslo.", "A film."] * 10
    monkeypatch.setattr(keywords_choice, "load_tagger", lambda: Fake(oslo="GPE", cancer="ORG"))
    pairs = Auxiliary(np.zeros((30, 1), np.float32), texts, texts, "toy", 0)
    truth = Truth(texts, [str(row) for row in range(30)])
    choice = choose_keywords(truth, Knowledge(pairs.vectors, pairs, None), Settings())
    assert choice.keywords == ("cancer", "oslo")
    assert choice.labels[0] == "cancer"
    assert choice.masked == (False, True)


def test_keywords_in_too_few_documents_and_those_that_cannot_be_learned_are_skipped(monkeypatch):
    monkeypatch.setattr(keywords_choice, "load_tagger", lambda: None)
    texts = ["a loan in rome", "a fee in oslo"] * 12
    pairs = Auxiliary(np.zeros((24, 1), np.float32), ["a loan", "a fee"] * 12, texts, "toy", 0)
    truth = Truth(texts, [str(row) for row in range(24)])
    settings = Settings(keywords=("loan", "rome", "paris"))
    choice = choose_keywords(truth, Knowledge(pairs.vectors, pairs, None), settings)
    assert (choice.keywords, choice.few, choice.unlearned) == (("loan",), ("paris",), ("rome",))
    assert choice.held[:, 0].tolist() == [True, False] * 12
    assert "too few target documents contain or lack “paris”" in choice.describe_skipped()
    assert "the attacker cannot learn “rome”" in choice.describe_skipped()


def test_nothing_skipped_needs_no_words():
    assert KeywordChoice(("loan",), ("loan",), np.ones((2, 1), np.bool_)).describe_skipped() == ""
