"""Figure 3, once, at a size for tests."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.papers.conftest import PAN_SIZES
from tests.unit.papers.measuring import reproduce, skipped_notes
from vestige.papers.pan2020.figure3 import read_sites
from vestige.papers.pan2020.table2 import fit_reconstructor
from vestige.papers.run import PaperRun
from vestige.text.patterns import load_pattern

RUN = PaperRun(PAN_SIZES)


def test_sequences_are_read_by_position_where_there_are_any(cached_run):
    record = reproduce("pan2020", "figure3", cached_run)
    measured = {row.section for row in record.rows if row.lines}
    assert measured == {"Generated sequences"}
    assert "corpus 'splice' is not available" in skipped_notes(record)["Human sequences", "Bert"]
    plot = record.plots[0]
    assert [len(curve.points) for curve in plot.curves] == [20] * 5
    line = next(row for row in record.rows if row.lines).lines[2]
    assert line.scores[0].value == pytest.approx(sum(score.value for score in line.scores[1:]) / 20, abs=1e-4)


def test_an_attack_is_trained_once_for_both_kinds_of_sequence(pan_run, nothing_else, tmp_path, monkeypatch):  # noqa: ARG001
    made = load_pattern("genome").generate(80, np.random.default_rng(0)).texts
    sequences = ["A" * 20 + middle + "C" * 20 for middle in made]
    pq.write_table(pa.table({"label": ["EI"] * 40 + ["N"] * 40, "sequence": sequences}), tmp_path / "splice.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    fits = []

    def fit(run, pattern, recipe, target):
        fits.append(recipe)
        return fit_reconstructor(run, pattern, recipe, target)

    monkeypatch.setattr("vestige.papers.pan2020.figure3.fit_reconstructor", fit)
    record = reproduce("pan2020", "figure3", replace(pan_run, models=("potion",)))
    assert [row.section for row in record.rows if row.lines] == ["Human sequences", "Generated sequences"]
    assert fits == ["pan", "default"]


def test_splice_sites_are_the_middles_without_unknown_letters(tmp_path, monkeypatch):
    middles = ["ACGTACGTACGTACGTACGT", "ACGTACGTACGTACGTACGT", "NCGTACGTACGTACGTACGT", "TTTTACGTACGTACGTACGT"]
    sequences = ["A" * 20 + middle + "C" * 20 for middle in middles]
    table = pa.table({"label": ["EI", "IE", "N", "N"], "sequence": sequences})
    pq.write_table(table, tmp_path / "splice.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    sites = read_sites(RUN, 80)
    assert dict(zip(sites.texts, sites.attributes["site"], strict=True)) == {middles[0]: "site", middles[3]: "none"}


def test_both_kinds_of_sequence_are_in_either_half(tmp_path, monkeypatch):
    made = load_pattern("genome").generate(80, np.random.default_rng(0)).texts
    sequences = ["A" * 20 + middle + "C" * 20 for middle in made]
    pq.write_table(pa.table({"label": ["EI"] * 40 + ["N"] * 40, "sequence": sequences}), tmp_path / "splice.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    sites = read_sites(RUN, 80).attributes["site"]
    assert set(sites[:40]) == set(sites[40:]) == {"site", "none"}
