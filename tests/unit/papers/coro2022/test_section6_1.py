"""Three improvements of the inverter, once, at a size for tests."""

from tests.unit.papers.measuring import reproduce
from vestige.papers.record import OURS, PAPER, PRIOR


def test_every_improvement_has_a_line(coro_run):
    (row,) = reproduce("coro2022", "section6.1", coro_run).rows
    assert [line.by for line in row.lines] == [
        PAPER,
        "with the encoder's word vectors",
        "with a loss that favours rare words",
        "with a larger vocabulary",
        OURS,
        PRIOR,
    ]
    assert all(line.logs for line in row.lines[:4])
    assert all(score is not None for line in row.lines for score in line.scores)
