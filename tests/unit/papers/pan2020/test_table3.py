"""Table III, once, at a size for tests."""

from tests.unit.papers.measuring import reproduce
from vestige.papers.record import PAPER


def test_keywords_that_nobody_holds_are_denied_by_one_who_always_says_no(cached_run):
    record = reproduce("pan2020", "table3", cached_run)
    row = next(row for row in record.rows if row.lines)
    assert [line.by for line in row.lines] == [PAPER, "the same, put into half the texts", "always saying no"]
    assert [score is not None for score in row.lines[0].scores] == [True, True, False, False]
    assert row.lines[0].scores[0].value >= row.lines[0].scores[1].value
    assert row.lines[2].scores[0].value == 1.0
    assert any("always saying no reaches 100 percent" in note for note in record.differs)
    assert any("Airline is skipped" in note for note in record.differs)
