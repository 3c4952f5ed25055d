"""Figure 6, at a size for tests."""

import pytest

from tests.unit.papers.conftest import PAN_SIZES
from tests.unit.papers.measuring import reproduce, skipped_notes
from vestige.papers.pan2020.attacks import BLACK, WHITE
from vestige.papers.pan2020.figure6 import keyword_notes
from vestige.papers.pan2020.texts import KeywordTexts, read_external, read_public_sentences, read_study
from vestige.papers.run import PaperRun


def all_of(sentences):
    return " ".join(sentences)


def test_notes_state_the_texts_the_keywords_and_the_external_corpus():
    run = PaperRun(PAN_SIZES)
    study = read_study(run, "Medical")
    external = read_external(run, read_public_sentences(run), study.keywords, 20)
    said = all_of(keyword_notes(run, [KeywordTexts(study, external)]))
    assert "Medical: sentences of 4 to 25 words from 'complaints'; keywords: " in said
    assert ", ".join(study.keywords) in said
    assert "20 sentences of 'speeches' (2,000 of restaurant reviews in the paper)" in said
    assert "in the place of 'government'" in said
    # Twenty sentences with and twenty without a keyword are one batch of 64; twice 2,000 are 63.
    assert "An epoch of DANN is 1 updates here and 63 in the paper" in said
    assert "Choosing it requires the truth" in said


def test_keywords_have_a_column_per_attack_and_rows_for_the_curves(cached_run):
    record = reproduce("pan2020", "figure6", cached_run)
    assert "corpus 'lounge_reviews' is not available" in skipped_notes(record)["Airline", "Bert"]
    measured = [row for row in record.rows if row.lines]
    assert [row.model for row in measured if row.section == "Medical"] == ["Bert", "potion"]
    first = measured[0]
    assert all(score is not None for line in first.lines for score in line.scores)
    average, worst = first.lines[0].scores[5:7]
    assert worst.value >= average.value
    assert {score.value for score in first.lines[1].scores} == {0.5}
    by_keyword = [line.scores for line in first.lines[2:]]
    assert len(by_keyword) > 1
    for place, mean in enumerate(first.lines[0].scores):
        each = [scores[place].value for scores in by_keyword]
        assert mean.value == pytest.approx(sum(each) / len(each), abs=1e-4)
    assert len(record.plots) == 4
    shadow = next(row for row in measured if "(c)" in row.section)
    assert [score is not None for score in shadow.lines[0].scores] == [True] * len(WHITE) + [False] * len(BLACK)
    external = next(row for row in measured if "(d)" in row.section)
    assert [score is not None for score in external.lines[0].scores] == [False] * 5 + [True] * 2 + [False]


def test_the_curves_end_at_the_sizes_of_the_table(cached_run):
    record = reproduce("pan2020", "figure6", cached_run)
    table = next(row for row in record.rows if row.section == "Medical").lines[0].scores
    for part, columns in {"(c)": slice(0, 3), "(d)": slice(5, 7), "(h)": slice(5, 7)}.items():
        last = [row for row in record.rows if part in row.section][-1]
        assert last.lines[0].scores[columns] == table[columns]
