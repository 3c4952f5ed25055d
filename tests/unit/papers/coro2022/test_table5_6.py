"""Tables 5.6 and 5.7 on posts made up for the purpose."""

import pytest

from tests.unit.papers.measuring import reproduce
from vestige.papers.record import OURS, PAPER


@pytest.mark.usefixtures("newsgroups")
@pytest.mark.parametrize(("table", "rows"), [("table5.6", 4), ("table5.7", 10)])
def test_every_name_has_a_row(coro_run, table, rows):
    record = reproduce("coro2022", table, coro_run)
    assert len(record.rows) == rows
    for row in record.rows:
        assert [line.by for line in row.lines] == [PAPER, OURS, "our default, false alarms"]
        assert all(score is not None for line in row.lines for score in line.scores)
    assert "here Bush, in " in record.rows[0].section or table == "table5.7"
    if table == "table5.6":
        alarms = record.rows[0].lines[2].scores[0]
        assert alarms.n == 3 * record.rows[0].lines[1].scores[0].n


def test_without_the_corpus_every_row_is_skipped(coro_run, monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    record = reproduce("coro2022", "table5.6", coro_run)
    assert {row.note[:31] for row in record.rows} == {"skipped: corpus 'newsgroups' is"}
