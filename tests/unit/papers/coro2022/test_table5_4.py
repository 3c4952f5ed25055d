"""Table 5.4, once, at a size for tests."""

import pytest

from tests.unit.papers.measuring import reproduce, scored_columns
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR


@pytest.mark.slow
def test_paragraphs_have_the_rows_of_the_thesis_and_its_starred_ones(coro_run):
    record = reproduce("coro2022", "table5.4", coro_run)
    rows = published("coro2022", "table5.4")
    assert [(row.section, row.model) for row in record.rows] == [(s, m) for s, models in rows.items() for m in models]
    assert all(all(scored) for scored in scored_columns(record).values())
    assert {by for _, _, by in scored_columns(record)} == {PAPER, OURS, PRIOR}
    starred = {row.model.rstrip("*"): row for row in record.rows if row.model.endswith("*")}
    plain = {row.model: row for row in record.rows if row.model in starred}
    assert any(plain[model].lines != row.lines for model, row in starred.items())
    guessing = {row.lines[2] for row in record.rows if row.section == "In-domain"}
    assert len(guessing) == 1
