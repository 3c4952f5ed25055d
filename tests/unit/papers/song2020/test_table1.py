"""Tables 1 and 2, once, at a size for tests."""

import pytest

from tests.unit.papers.measuring import reproduce, scored_columns
from vestige.case.codec import dumps
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR
from vestige.papers.song2020.attacks import RELEASED


@pytest.mark.parametrize(
    ("table", "alone", "more"),
    [pytest.param("table1", ["Equation 5"], set(), marks=pytest.mark.slow), ("table2", [], {RELEASED})],
)
def test_tables_have_the_rows_of_the_paper(song_run, checkpoints, table, alone, more):
    record = reproduce("song2020", table, song_run)
    rows = published("song2020", table)
    assert [(row.section, row.model) for row in record.rows] == [(s, m) for s, models in rows.items() for m in models]
    for (section, _, _), there in scored_columns(record).items():
        assert there == [True] * 3 + [section not in alone] * 3
    assert {by for _, _, by in scored_columns(record)} == {PAPER, OURS, PRIOR} | more
    assert [row.here for row in record.rows[:4]] == [
        "saved:lstm",
        "saved:transformer",
        "hf:bert@mean",
        "hf:albert@mean",
    ]
    assert str(checkpoints["bert"].parent) not in dumps(record)
    assert any("Named for this run, and no stand-in: LSTM is saved:lstm," in note for note in record.differs)
    assert record.encoders[2:] == ("BERT=hf:bert@mean", "ALBERT=hf:albert@mean")
