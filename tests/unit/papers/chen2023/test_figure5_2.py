"""Figure 5.2, at a size for tests."""

from tests.unit.papers.measuring import reproduce
from vestige.papers.chen2023.attacks import BASELINES, CONSTANT, SADE, SADE_QS
from vestige.papers.record import OURS, PRIOR

EVERYONE = {SADE_QS, SADE, *BASELINES, OURS, PRIOR, CONSTANT}


PLAYED = {"SBERT", "granite"}


def test_the_curves_are_drawn_against_queries(cached_run):
    record = reproduce("chen2023", "figure5.2", cached_run)
    assert [row.model for row in record.rows] == ["SBERT, 10 queries", "SBERT, 20 queries"]
    assert {curve.label for curve in record.plots[0].curves} == EVERYONE
    assert [point.at for point in record.plots[0].curves[0].points] == [10, 20]
