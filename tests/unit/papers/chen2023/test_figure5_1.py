"""Figure 5.1, on one data set, at a size for tests."""

from dataclasses import replace

from tests.unit.papers.chen2023.conftest import AVAILABLE
from tests.unit.papers.measuring import reproduce
from vestige.papers.chen2023 import texts
from vestige.papers.chen2023.attacks import BASELINES, CONSTANT, SADE, SADE_QS
from vestige.papers.published import published
from vestige.papers.record import OURS, PRIOR

EVERYONE = {SADE_QS, SADE, *BASELINES, OURS, PRIOR, CONSTANT}


def test_the_comparison_has_a_line_an_attack(cached_run, monkeypatch):
    rows = {section: models for section, models in published("chen2023", "figure5.1").items() if "20" in section}
    monkeypatch.setattr("vestige.papers.table.published", lambda *_: rows)
    record = reproduce("chen2023", "figure5.1", cached_run)
    assert [(row.section, row.model) for row in record.rows] == [(s, m) for s, models in rows.items() for m in models]
    by_tfidf = {row.model: row for row in record.rows if row.section.endswith("TF-IDF")}
    assert {model for model, row in by_tfidf.items() if row.lines} == AVAILABLE
    assert {line.by for line in by_tfidf["SBERT"].lines} == EVERYONE
    assert by_tfidf["SBERT"].published == (67.01, 19.18)
    assert "is not available" in by_tfidf["GPT2"].note
    networks = [line for line in by_tfidf["SBERT"].lines if line.by in (SADE_QS, SADE, *BASELINES)]
    # Three steps are no training: every line of a network says so.
    assert [line.converged for line in networks] == [False] * 6
    said = " ".join(record.differs)
    assert "SADE with random queries 62.33 / 17.95, MLP 12.4 / 7.42, PLD, the best baseline, 39 / 13" in said


def test_only_the_data_sets_that_were_asked_for_are_read(chen_run, monkeypatch):
    read = []

    def read_documents(run, name):
        read.append(name)
        return texts.read_documents(run, name)

    monkeypatch.setattr("vestige.papers.chen2023.figure5_1.read_documents", read_documents)
    run = replace(chen_run, models=("SBERT",), sections=("ag news",))
    (row,) = reproduce("chen2023", "table5.2", run).rows
    assert (row.section, read) == ("AG News", ["AG News"])


def test_all_cells_of_the_figure_are_there():
    rows = published("chen2023", "figure5.1")
    thesis = [model for models in rows.values() for model in models if model not in ("granite", "potion")]
    assert len(thesis) == 7 * 3 * 3
