"""The stand-in for Wikipedia."""

from vestige.papers.public_text import first_available, load_encyclopedia
from vestige.text.words import content_words


def test_the_shipped_corpus_stands_in_for_a_missing_one(monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    assert first_available("imdb", "complaints") == "complaints"
    assert load_encyclopedia().name == "speeches"


def test_paragraphs_are_spread_over_the_whole_corpus():
    some = load_encyclopedia("speeches", 50)
    assert len(some) == 50
    assert len(set(some.documents)) > 30
    assert all(content_words(text) or text for text in some.texts)
