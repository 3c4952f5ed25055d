"""An ablation, at a size for tests."""

from tests.unit.papers.measuring import reproduce
from vestige.papers.chen2023.attacks import CONSTANT
from vestige.papers.record import OURS, PAPER, PRIOR

PLAYED = {"SBERT", "granite"}


def test_the_ablation_has_its_parts_and_ours(cached_run):
    record = reproduce("chen2023", "table5.4", cached_run)
    lines = {(row.section, line.by) for row in record.rows for line in row.lines}
    parts = {"MLP", "without training", "with training"}
    assert lines == {(part, PAPER) for part in parts} | {("Ours", by) for by in (OURS, PRIOR, CONSTANT)}
