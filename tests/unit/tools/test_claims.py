"""Claims are decided by records, and only by trainings that converged."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from claims import HOLDS, REFUTED, UNDECIDED, Cell, Check, Claim, decide, read_claims

from tests.unit.papers.sample import sample
from vestige.errors import InputError
from vestige.papers.catalogue import CITATIONS, PAPERS
from vestige.papers.pan2020.setup import SCALES, defense_sweeps, keyword_sweeps
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR, Line, Row
from vestige.papers.results import read_results, write_results
from vestige.papers.song2020.adversarial_training import SECTIONS
from vestige.types import Score, TrainingLog

ROOT = Path(__file__).parents[3]
CLAIMS = ROOT / "docs" / "papers" / "claims.toml"
COLUMN = "F1"
ENDED = TrainingLog("until it ends", converged=True, steps=9)
CUT_OFF = TrainingLog("until it ends", converged=False, steps=9)


@dataclass(frozen=True)
class SomeSizes:
    epochs: int = 30
    same: int = 1000


def cell(line):
    return Cell("song2020/table1", "Equation 7", "LSTM", line, COLUMN)


def claim(more, than, within=None, times=1.0):
    return Claim("song2020", "Table 1", "It works.", "Run it.", (Check(more, than, within, times),))


def record(folder, *, attack=0.6, prior=0.2, logs=(ENDED,), scale="paper"):
    """A record with one row: an attack and guessing, each 0.05 to either side."""
    lines = (Line(PAPER, (spread(attack),), logs), Line(PRIOR, (spread(prior),)))
    row = Row("Equation 7", "LSTM", "dual:lstm", (60.0,), lines)
    write_results(replace(sample(), columns=(COLUMN,), rows=(row,), scale=scale, changes=()), SomeSizes(), folder)
    return folder


def spread(value):
    return Score(value, value - 0.05, value + 0.05, 100)


@pytest.mark.parametrize(
    ("attack", "prior", "status"), [(0.6, 0.2, HOLDS), (0.2, 0.6, REFUTED), (0.5, 0.45, UNDECIDED)]
)
def test_intervals_decide(tmp_path, attack, prior, status):
    decision = decide(claim(cell(PAPER), cell(PRIOR)), record(tmp_path, attack=attack, prior=prior))
    assert decision.status == status
    assert f"{100 * attack:.1f} ({100 * attack - 5:.1f} to {100 * attack + 5:.1f})" in decision.why


def test_attacks_that_learned_from_different_amounts_of_text_are_not_compared(tmp_path):
    """More epochs are another training of the same texts; more pairs are other texts."""
    record(tmp_path)
    other = Row("Equation 5", "LSTM", "dual:lstm", (57.0,), (Line(PAPER, (spread(0.2),), (ENDED,)),))
    table = replace(sample(), columns=(COLUMN,), rows=(other,), scale="paper", changes=())
    compared = claim(cell(PAPER), replace(cell(PAPER), section="Equation 5"))
    write_results(table, SomeSizes(epochs=60), tmp_path)
    assert decide(compared, tmp_path).status == HOLDS
    write_results(table, SomeSizes(same=8000), tmp_path)
    decision = decide(compared, tmp_path)
    assert decision.status == UNDECIDED
    assert decision.why.startswith("Recorded with different texts (same): Equation 7, LSTM")


def test_a_smaller_run_than_the_papers_supports_a_claim_but_does_not_refute_it(tmp_path):
    small = record(tmp_path, scale="small")
    assert decide(claim(cell(PAPER), cell(PRIOR)), small).status == HOLDS
    contrary = decide(claim(cell(PRIOR), cell(PAPER)), small)
    assert contrary.status == UNDECIDED
    assert contrary.why.endswith("our run found the opposite, but it is smaller than the paper's. Run it.")


def test_another_protocol_than_the_papers_does_not_refute_a_claim(tmp_path):
    of_size = record(tmp_path)
    contrary = claim(cell(PRIOR), cell(PAPER))
    assert decide(contrary, of_size).status == REFUTED
    decision = decide(replace(contrary, differs="half of its texts exist"), of_size)
    assert decision.status == UNDECIDED
    assert decision.why.endswith("our run found the opposite, but half of its texts exist. Run it.")


@pytest.mark.parametrize("logs", [(CUT_OFF,), (ENDED, CUT_OFF), ()])
def test_a_training_that_has_not_converged_decides_nothing(tmp_path, logs):
    converged = decide(claim(cell(PAPER), cell(PRIOR)), record(tmp_path / "ended"))
    cut_off = decide(claim(cell(PAPER), cell(PRIOR)), record(tmp_path / "cut", logs=logs))
    assert converged.status == HOLDS
    assert cut_off.status == UNDECIDED
    assert "onverged" in cut_off.why
    assert decide(claim(cell(PRIOR), cell(PAPER)), tmp_path / "cut").status == UNDECIDED


def test_where_every_column_has_its_own_training_only_that_one_counts(tmp_path):
    results = record(tmp_path, logs=(ENDED, CUT_OFF))
    first, second = (replace(cell(PAPER), training=place) for place in (0, 1))
    assert decide(claim(first, cell(PRIOR)), results).status == HOLDS
    assert decide(claim(second, cell(PRIOR)), results).status == UNDECIDED


def test_within_allows_a_small_loss_and_a_number_may_stand_on_the_right(tmp_path):
    results = record(tmp_path, attack=0.5, prior=0.5)
    assert decide(claim(cell(PAPER), cell(PRIOR), within=0.2), results).status == HOLDS
    assert decide(claim(cell(PAPER), 0.4), results).status == HOLDS
    assert decide(claim(cell(PAPER), 0.56), results).status == REFUTED


def test_a_number_may_stand_on_the_left_and_a_score_may_be_multiplied(tmp_path):
    results = record(tmp_path, attack=0.6, prior=0.2)
    below = decide(claim(0.3, cell(PRIOR)), results)
    assert (below.status, below.why) == (HOLDS, "limit 30; Equation 7, LSTM, guessing, F1: 20.0 (15.0 to 25.0)")
    assert decide(claim(0.1, cell(PRIOR)), results).status == REFUTED
    half = decide(claim(cell(PAPER), cell(PRIOR), times=0.5), results)
    assert half.status == HOLDS
    assert "60.0 (55.0 to 65.0), 0.5 times that" in half.why
    assert decide(claim(cell(PAPER), cell(PRIOR), times=0.2), results).status == REFUTED


def test_without_a_record_or_a_line_a_claim_is_undecided_and_says_what_would_decide_it(tmp_path):
    nothing = decide(claim(cell(PAPER), cell(PRIOR)), tmp_path / "none")
    assert (nothing.status, nothing.why) == (UNDECIDED, "Not recorded. Run it.")
    assert decide(claim(cell(OURS), cell(PRIOR)), record(tmp_path)).status == UNDECIDED


def test_a_column_that_does_not_exist_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no column 'F2'"):
        decide(claim(replace(cell(PAPER), column="F2"), cell(PRIOR)), record(tmp_path))


def test_one_refuted_check_refutes_and_one_open_check_leaves_open(tmp_path):
    record(tmp_path)
    good, bad = Check(cell(PAPER), cell(PRIOR)), Check(cell(PRIOR), cell(PAPER))
    assert decide(replace(claim(0, 0), checks=(good, bad)), tmp_path).status == REFUTED
    assert decide(replace(claim(0, 0), checks=(good, Check(cell(OURS), 0.1))), tmp_path).status == UNDECIDED


@pytest.mark.parametrize("one", read_claims(CLAIMS), ids=lambda one: one.text[:60])
def test_claims_name_tables_columns_and_rows_that_exist(one):
    assert one.text.endswith(".")
    assert one.needs.endswith(".")
    cells = [side for check in one.checks for side in (check.more, check.than) if isinstance(side, Cell)]
    for side in cells:
        paper, _, table = side.record.partition("/")
        assert side.column in PAPERS[paper].load().table(table).columns
        assert is_known(side, published(paper, table)), side


def test_claims_on_defenses_of_pan_name_points_of_the_curves():
    strengths = SCALES["small"].strengths
    sweeps = (*defense_sweeps(strengths), *keyword_sweeps(strengths))
    points = {(f"Medical, {sweep.name}", f"potion, {spec}") for sweep in sweeps for spec in sweep.specs.values()}
    named = {
        (side.section, side.model)
        for one in read_claims(CLAIMS)
        for check in one.checks
        for side in (check.more, check.than)
        if isinstance(side, Cell) and side.record == "pan2020/figure7" and "," in side.section
    }
    assert named
    assert named <= points


EXTRA_ROWS = {"Raw text"}
EXTRA_SECTIONS = {*SECTIONS.values()}
"""Rows and sections that a table adds to those of the paper."""


def is_known(side, printed):
    """Whether the row is printed, added here, or a point of a curve: "GPT-2, 5 shared dimensions" of "GPT-2".

    A model that stands in for a printed one must be in the record.
    """
    sections = {side.section, side.section.partition(", ")[0]}
    if sections & EXTRA_SECTIONS:
        return True
    models = {
        *EXTRA_ROWS,
        *list_recorded(side.record),
        *(model for name in sections for model in printed.get(name, ())),
    }
    return bool(sections & set(printed)) and (side.model in models or side.model.partition(", ")[0] in models)


def list_recorded(name):
    """The models of a record, without the point of a curve."""
    path = ROOT / "results" / f"{name}.json"
    rows = read_results(path).rows if path.is_file() else ()
    return {one.row.model.partition(", ")[0] for one in rows}


def test_an_invented_row_is_noticed():
    printed = published("song2020", "table1")
    known = cell(PAPER)
    assert is_known(known, printed)
    assert not is_known(replace(known, section="Equation 99"), printed)
    assert not is_known(replace(known, model="LSTMM"), printed)


def test_every_paper_has_claims():
    claims = read_claims(CLAIMS)
    assert {one.paper for one in claims} == set(CITATIONS)
    assert len(claims) > 120
