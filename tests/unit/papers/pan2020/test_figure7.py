"""Figure 7, once, at a size for tests."""

import pytest

from tests.unit.papers.measuring import reproduce
from vestige.papers.pan2020.defended import SYSTEM
from vestige.papers.record import OURS, PAPER, PRIOR


@pytest.fixture(scope="module")
def figure7(cached_run):
    return reproduce("pan2020", "figure7", cached_run)


def scores_by_row(record, section):
    return {row.model: {line.by: line.scores for line in row.lines} for row in record.rows if row.section == section}


def test_without_a_defense_it_makes_no_difference_who_knows_of_it(figure7):
    for section in ("Genome", "Medical"):
        lines = scores_by_row(figure7, section)["Bert"]
        assert lines[OURS][0] == lines[OURS][1]
    system = scores_by_row(figure7, "Medical")["Bert"][SYSTEM]
    assert system[4] == system[5]


def test_nine_decimals_hide_nothing(figure7):
    none = scores_by_row(figure7, "Medical")["Bert"]
    nine = scores_by_row(figure7, "Medical, rounding")["Bert, rounding:9"]
    assert none.keys() == nine.keys()
    for by, scores in none.items():
        for before, after in zip(scores, nine[by], strict=True):
            assert (before is None) == (after is None)
            if before is not None:
                assert after.value == pytest.approx(before.value, abs=0.02)


def test_noise_a_hundred_times_too_large_leaves_a_coin_to_keywords_and_nothing_to_the_system(figure7):
    lines = scores_by_row(figure7, "Medical, Laplace")["Bert, laplace:0.01"]
    for column in (0, 1):
        assert lines[OURS][column].low <= 0.5 <= lines[OURS][column].high
    assert lines[SYSTEM][5].low <= lines[PRIOR][5].value


def test_every_defense_of_the_paper_is_tried_where_it_applies(figure7):
    found = {row.section for row in figure7.rows}
    shared = {"rounding", "Laplace", "PPM", "PPM, ours"}
    assert {f"Genome, {name}" for name in shared} | {"Genome"} == {name for name in found if "Genome" in name}
    assert {"Medical, subspace, as written", "Medical, subspace, between the means"} < found
    assert {f"Medical, {name}, one keyword at a time" for name in ("PPM", "subspace, as written")} < found


def test_only_defenses_with_labels_are_fitted_on_the_targets_too(figure7):
    rounded = scores_by_row(figure7, "Medical, rounding")["Bert, rounding:0"][OURS]
    assert [score is None for score in rounded] == [False, False, True, True, True, True]
    for section in (
        "Medical, subspace, between the means",
        "Medical, subspace, between the means, one keyword at a time",
    ):
        hidden = scores_by_row(figure7, section)["Bert, subspace"][OURS]
        assert [score is None for score in hidden] == [False] * 4 + [True] * 2


def test_plots_are_of_defenses_with_several_strengths(figure7):
    assert [plot.title for plot in figure7.plots] == ["Bert, Genome, rounding", "Bert, Medical, rounding"]


def test_missing_models_are_noted_and_the_paper_is_not_refitted_on_sequences(figure7):
    notes = {row.model: row.note for row in figure7.rows if row.section == "Genome"}
    assert "is not available" in notes["GPT-2"]
    lines = scores_by_row(figure7, "Genome, rounding")["Bert, rounding:0"]
    assert lines[PAPER][1] is None
    assert lines[OURS][1] is not None
    assert any("does not say whether its attacks" in note for note in figure7.differs)
    assert any("corpus 'splice' is not available" in note for note in figure7.differs)
