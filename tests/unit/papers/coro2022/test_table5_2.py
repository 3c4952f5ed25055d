"""Tables 5.2 and A.2, once, at a size for tests."""

from dataclasses import replace

from tests.unit.papers.measuring import reproduce, scored_columns
from vestige.papers.coro2022.attacks import LISTED
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR


def test_sentences_have_the_rows_of_the_thesis(coro_run):
    record = reproduce("coro2022", "table5.2", coro_run)
    rows = published("coro2022", "table5.2")
    assert [(row.section, row.model) for row in record.rows] == [(s, m) for s, models in rows.items() for m in models]
    assert all(all(scored) for scored in scored_columns(record).values())
    assert {by for _, _, by in scored_columns(record)} == {PAPER, LISTED, OURS, PRIOR}


def test_across_domains_every_word_of_the_vocabulary_may_count(coro_run):
    record = reproduce("coro2022", "tableA.2", replace(coro_run, models=("Sentence-BERT",)))
    assert [(row.section, row.model) for row in record.rows] == [("Cross-domain", "Sentence-BERT")]
