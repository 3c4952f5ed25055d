"""Figure 2, once, at a size for tests."""

from dataclasses import replace

from tests.unit.papers.measuring import reproduce
from vestige.papers.song2020.figure2 import ATTACKS


def test_every_layer_has_a_row_and_missing_models_are_skipped(song_run, monkeypatch):
    monkeypatch.delenv("VESTIGE_MODELS", raising=False)
    record = reproduce("song2020", "figure2", replace(song_run, encoders={"BERT": song_run.encoders["BERT"]}))
    measured = [row for row in record.rows if row.lines]
    by_section = {section: [row.model for row in measured if row.section == section] for section in ATTACKS}
    every = [f"BERT, layer {layer}" for layer in range(4)]
    assert by_section == {"Equation 5": every, "Equation 6": every[2:], "Equation 7": every}
    assert [row.model for row in measured if row.published[2] is not None] == 2 * ["BERT, layer 3"]
    assert [plot.up for plot in record.plots] == ["precision", "recall", "F1"]
    assert {len(plot.curves) for plot in record.plots} == {9}
    assert [len(curve.points) for curve in record.plots[0].curves] == [4] * 3 + [2] * 3 + [4] * 3
    assert {point.at for curve in record.plots[0].curves for point in curve.points} == {0, 1, 2, 3}
    skipped = [row for row in record.rows if not row.lines]
    assert [row.model for row in skipped] == ["ALBERT", "MPNet"] * 3
    assert "model 'granite-30m-english' is not available; set the environment variable" in skipped[0].note
