"""An ablation, at a size for tests."""

from dataclasses import replace

from tests.unit.papers.measuring import reproduce
from vestige.papers.chen2023.attacks import CONSTANT
from vestige.papers.record import OURS, PAPER, PRIOR

PLAYED = {"SBERT", "granite"}


def test_the_ablation_has_its_parts_and_ours(cached_run):
    record = reproduce("chen2023", "table5.4", cached_run)
    lines = {(row.section, line.by) for row in record.rows for line in row.lines}
    parts = {"MLP", "without training", "with training", "fine-tuned"}
    assert lines == {(part, PAPER) for part in parts} | {("Ours", by) for by in (OURS, PRIOR, CONSTANT)}


def test_a_surrogate_whose_weights_are_fixed_is_not_fine_tuned(cached_run, monkeypatch):
    monkeypatch.delattr("vestige.encoders.hugging_face.HuggingFaceEncoder.copy_trainable")
    run = replace(cached_run, sections=("fine-tuned",))
    record = reproduce("chen2023", "table5.4", run)
    assert all("cannot be trained here" in row.note for row in record.rows)


def test_tables_share_what_they_measure_alike(cached_run, monkeypatch):
    whole = {"table5.4": "with training", "table5.5": "adversarial"}
    found = []
    for table, section in whole.items():
        record = reproduce("chen2023", table, replace(cached_run, sections=(section,), models=("SBERT",)))
        found.append(record.rows[0].lines[0])
        # The second table reads what the first has measured.
        monkeypatch.setattr("vestige.papers.chen2023.adversary.OpenWorldAdversary.sade", None)
    assert found[0] == found[1]
