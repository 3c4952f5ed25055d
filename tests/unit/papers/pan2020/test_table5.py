"""Table V, once, at a size for tests."""

from tests.unit.papers.measuring import reproduce
from vestige.papers.pan2020.table5 import choose_subject_words
from vestige.papers.pan2020.texts import (
    KeywordCorpus,
)
from vestige.text.corpus import Corpus


def test_samples_rank_keywords_under_sentences(cached_run):
    record = reproduce("pan2020", "table5", cached_run)
    row = next(row for row in record.rows if row.lines)
    assert len(row.samples) == 5
    assert all(sample.count(", ") >= 5 for sample in row.samples)
    assert row.published[0] == 77


def test_words_of_the_subject_are_rare_in_public_text():
    own = Corpus("own", ["the scan showed a tumour of the liver today"] * 40 + ["a long day"] * 20)
    elsewhere = Corpus("other", ["the people showed courage today"] * 60)
    sides = KeywordCorpus("Medical", own, own, ())
    assert choose_subject_words(sides, elsewhere, 2) == ["liver", "scan"]
    assert set(choose_subject_words(sides, elsewhere, 9)) == {"liver", "scan", "tumour"}
