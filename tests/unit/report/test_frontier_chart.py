import pytest

from tests.sample_frontier import hostile, swept
from vestige.report.frontier_chart import build_frontier_chart


def test_points_are_where_their_figures_are():
    chart = build_frontier_chart(swept())
    none, rotation, chosen, dropped = chart.points
    assert (chart.area.x_axis.low, chart.area.x_axis.high) == pytest.approx((0.0, 0.7))
    assert chart.area.x_axis.title == "leakage of words"
    assert chosen.x < none.x
    assert chosen.y > none.y
    assert rotation.naive is not None
    assert rotation.naive < chosen.x
    assert all(0 <= point.x <= chart.area.width and 0 <= point.y <= chart.area.height for point in chart.points)
    assert chart.line == f"M{chosen.x:g} {chosen.y:g}L{none.x:g} {none.y:g}"
    assert not dropped.labelled


def test_a_number_that_would_overlap_another_is_not_drawn():
    none, rotation, chosen, _ = build_frontier_chart(swept()).points
    assert (none.labelled, rotation.labelled, chosen.labelled) == (True, False, True)


def test_the_region_within_the_limits():
    chart = build_frontier_chart(swept())
    assert (chart.most_leakage, chart.least_utility) == (0.1, 0.9)
    assert chart.allowed == (chart.area.x(0.1), chart.area.y(0.9))
    only_utility = build_frontier_chart(swept(limits=("recall@10>0.90",)))
    assert only_utility.allowed == (chart.area.width - chart.area.right, chart.area.y(0.9))
    assert build_frontier_chart(hostile()).allowed is None
