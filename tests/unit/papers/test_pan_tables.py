"""Every table of Pan et al., once, at a size for tests."""

from dataclasses import replace

import pytest

from tests.unit.papers.test_tables import asked, reproduced
from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.case.codec import dumps
from vestige.papers.pan2020.adversary import BLACK, WHITE
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR


@pytest.fixture(scope="module")
def kept(pan_run, nothing_else, tmp_path_factory):  # noqa: ARG001
    """The run, its finished rows kept for all tests."""
    return replace(pan_run, cache=tmp_path_factory.mktemp("cache"))


def left_out(record):
    return {(row.section, row.model): row.note for row in record.rows if not row.lines}


def test_birth_dates_have_the_rows_of_the_paper(kept):
    record = reproduced("pan2020", "table2", kept)
    section = "Birth date in a citizen ID"
    assert [row.model for row in record.rows] == list(published("pan2020", "table2")[section])
    assert set(asked(record)) == {(section, model, by) for model in ("Bert", "potion") for by in (PAPER, OURS, PRIOR)}
    guessing = next(line for line in record.rows[0].lines if line.by == PRIOR)
    assert [score.value for score in guessing.scores[:4]] == pytest.approx([1 / 100, 5 / 100, 1 / 12, 5 / 12], abs=1e-5)
    assert "'gpt2' is not here" in left_out(record)[section, "GPT-2"]


def test_sequences_are_read_by_position_where_there_are_any(kept):
    record = reproduced("pan2020", "figure3", kept)
    measured = {row.section for row in record.rows if row.lines}
    assert measured == {"Generated sequences"}
    assert "corpus 'splice' is not here" in left_out(record)["Human sequences", "Bert"]
    plot = record.plots[0]
    assert [len(curve.points) for curve in plot.curves] == [20] * 5
    line = next(row for row in record.rows if row.lines).lines[2]
    assert line.scores[0].value == pytest.approx(sum(score.value for score in line.scores[1:]) / 20, abs=1e-4)


def test_keywords_have_a_column_a_way_and_rows_for_the_curves(kept):
    record = reproduced("pan2020", "figure6", kept)
    assert "corpus 'lounge_reviews' is not here" in left_out(record)["Airline", "Bert"]
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


def test_the_curves_end_where_the_table_stands(kept):
    record = reproduced("pan2020", "figure6", kept)
    table = next(row for row in record.rows if row.section == "Medical").lines[0].scores
    for part, columns in {"(c)": slice(0, 3), "(d)": slice(5, 7), "(h)": slice(5, 7)}.items():
        last = [row for row in record.rows if part in row.section][-1]
        assert last.lines[0].scores[columns] == table[columns]


def test_keywords_that_nobody_holds_are_denied_by_one_who_always_says_no(kept):
    record = reproduced("pan2020", "table3", kept)
    row = next(row for row in record.rows if row.lines)
    assert [line.by for line in row.lines] == [PAPER, "the same, put into half the texts", "always saying no"]
    assert [score is not None for score in row.lines[0].scores] == [True, True, False, False]
    assert row.lines[0].scores[0].value >= row.lines[0].scores[1].value
    assert row.lines[2].scores[0].value == 1.0
    assert any("saying no to everything has 100 percent" in told for told in record.differs)
    assert any("Airline is left out" in told for told in record.differs)


def test_samples_rank_keywords_under_sentences(kept):
    record = reproduced("pan2020", "table5", kept)
    row = next(row for row in record.rows if row.lines)
    assert len(row.samples) == 5
    assert all(sample.count(", ") >= 5 for sample in row.samples)
    assert row.published[0] == 77


def test_a_fingerprint_is_tried_with_and_without_the_encoder(kept):
    record = reproduced("pan2020", "fingerprint", kept)
    rows = [row for row in record.rows if row.lines]
    assert [row.model for row in rows] == ["Bert", "potion"]
    for row in rows:
        paper, ours, guessing = row.lines
        assert paper.scores[2].value == 0
        assert ours.scores[1].n == 2
        assert guessing.scores[0].value == 0.5


@pytest.mark.parametrize(
    "table", ["table2", "figure3", "figure6", "table3", "figure7", "table4", "table5", "fingerprint"]
)
def test_a_second_run_makes_no_row_again(kept, monkeypatch, table):
    first = reproduced("pan2020", table, kept)
    for attack in ("citizen.PatternReconstructor", "adversary.KeywordInference", "fingerprint.Fingerprinter"):
        monkeypatch.setattr(
            f"vestige.papers.pan2020.{attack}.fit", lambda *_, **__: pytest.fail("an attack was fitted")
        )
    monkeypatch.setattr(DomainAdversarialKeyword, "fit", lambda *_, **__: pytest.fail("a network was trained"))
    assert dumps(reproduced("pan2020", table, kept).rows) == dumps(first.rows)
