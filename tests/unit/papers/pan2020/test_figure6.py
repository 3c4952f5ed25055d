"""Figure 6, at a size for tests."""

from dataclasses import replace

import pytest

from tests.unit.papers.conftest import PAN_SIZES
from tests.unit.papers.measuring import reproduce, skipped_notes
from vestige.papers.pan2020.attacks import BLACK, COLUMNS, WHITE
from vestige.papers.pan2020.figure6 import keyword_notes
from vestige.papers.pan2020.texts import KeywordTexts, read_external, read_public_sentences, read_study
from vestige.papers.record import OURS, PAPER, PRIOR
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
    lines = {line.by: line for line in measured[0].lines}
    assert scored(lines[f"{PAPER}, SVM"]) == ["white box, SVM", "black box, SVM"]
    assert scored(lines[f"{PAPER}, MLP"]) == ["white box, MLP", "black box, MLP"]
    assert scored(lines[f"{PAPER}, DANN"]) == list(BLACK[2:4])
    assert scored(lines[OURS]) == ["white box, ours", "black box, ours"]
    average, worst = lines[f"{PAPER}, DANN"].scores[5:7]
    assert worst.value >= average.value
    assert {score.value for score in lines[PRIOR].scores} == {0.5}
    by_keyword = [line.scores for line in measured[0].lines[5:]]
    assert len(by_keyword) > 1
    for line in measured[0].lines[:4]:
        for place, mean in enumerate(line.scores):
            if mean is not None:
                each = [scores[place].value for scores in by_keyword]
                assert mean.value == pytest.approx(sum(each) / len(each), abs=1e-4)
    assert len(record.plots) == 4
    shadow = next(row for row in measured if "(c)" in row.section)
    assert [scored(line) for line in shadow.lines] == [[column] for column in WHITE]
    external = next(row for row in measured if "(d)" in row.section)
    assert [scored(line) for line in external.lines] == [list(BLACK[2:4])]


def test_a_line_says_whether_its_training_converged(cached_run):
    row = next(row for row in reproduce("pan2020", "figure6", cached_run).rows if row.lines)
    lines = {line.by: line for line in row.lines}
    assert lines[f"{PAPER}, SVM"].converged
    # Two epochs of perceptrons, and an epoch of one update where the paper has 63.
    assert lines[f"{PAPER}, MLP"].converged is False
    assert lines[f"{PAPER}, DANN"].converged is False
    assert [len(log.curve) for log in lines[f"{PAPER}, MLP"].logs] == [2, 2]


def test_the_curves_end_at_the_sizes_of_the_table(cached_run):
    record = reproduce("pan2020", "figure6", cached_run)
    table = {line.by: line for line in next(row for row in record.rows if row.section == "Medical").lines}
    for part in ("(c)", "(d)", "(h)"):
        for line in [row for row in record.rows if part in row.section][-1].lines:
            for score, whole in zip(line.scores, table[line.by].scores, strict=True):
                assert score is None or score == whole


def test_larger_versions_of_gpt2_are_in_the_curve_of_shadow_sentences(cached_run):
    played = cached_run.encoders["potion"]
    named = {"Bert": played, "GPT-2": played, "GPT-2 Large": played}
    sizes = replace(cached_run.sizes, shadows=(10,))
    section = "Medical, (c) size of the shadow corpus"
    record = reproduce("pan2020", "figure6", replace(cached_run, sizes=sizes, encoders=named, sections=(section,)))
    printed = {row.model: row.published[1] for row in record.rows}
    assert printed["GPT-2, 10 shadow sentences"] == 59.4
    assert printed["GPT-2 Large, 10 shadow sentences"] == 68.5
    assert [value for model, value in printed.items() if "30 shadow" in model] == [None, None]
    assert all(row.lines for row in record.rows)


def scored(line):
    return [column for column, score in zip(COLUMNS, line.scores, strict=True) if score is not None]
