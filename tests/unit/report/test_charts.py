from dataclasses import replace

import numpy as np
import pytest

from tests.sample_result import finding, result
from vestige.case.findings import Roc
from vestige.metrics.membership.roc import RocPoint, roc_curve
from vestige.report.audit_page import render_audit_html, render_audit_markdown
from vestige.report.charts import (
    DataPoint,
    LineChart,
    PlotArea,
    PlotAxis,
    Scale,
    Series,
    build_roc_chart,
    build_scale,
    fill_blocks,
    scale_differences,
    tpr_at_fpr,
)
from vestige.types import Score

STEPS = Roc("word for word", (RocPoint(0.0, 0.0), RocPoint(0.0, 0.2), RocPoint(0.01, 0.5), RocPoint(1.0, 1.0)))


def test_shares_are_on_a_scale_from_zero_to_one():
    scale = build_scale([Score(0.5, 0.4, 0.6, 9)])
    assert scale == Scale(0.0, 1.0, 0.25)
    assert (scale.at(0.523), scale.reach(0.128, 0.523)) == ("52.30%", "39.50%")
    assert [tick.label for tick in scale.ticks] == ["0", "0.25", "0.5", "0.75", "1"]
    assert [tick.anchor for tick in scale.ticks] == ["start", "middle", "middle", "middle", "end"]


@pytest.mark.parametrize(
    ("score", "labels"),
    [
        (Score(-0.31, -0.4, -0.2, 9, baseline=1.6), ["-0.5", "0", "0.5", "1", "1.5", "2"]),
        (Score(730.0, 700.0, 760.0, 9), ["0", "200", "400", "600", "800"]),
    ],
)
def test_a_scale_widens_to_round_ends(score, labels):
    assert [tick.label for tick in build_scale([score]).ticks] == labels


def test_no_scores_give_a_scale_too():
    assert build_scale([]) == Scale(0.0, 1.0, 0.25)


@pytest.mark.parametrize(("share", "filled"), [(0.0, 0.0), (0.523, 5.23), (1.0, 10.0), (1.4, 10.0), (-0.1, 0.0)])
def test_ten_blocks_hold_the_share(share, filled):
    assert len(fill_blocks(share)) == 10
    assert sum(fill_blocks(share)) == pytest.approx(filled)
    assert all(0 <= fill <= 1 for fill in fill_blocks(share))


def test_an_axis_clamps_and_an_empty_range_is_in_the_middle():
    axis = PlotAxis("", -1.0, 3.0, ())
    assert [axis.share(value) for value in (-2, -1, 0, 1, 3, 9)] == [0, 0, 0.25, 0.5, 1, 1]
    assert PlotAxis("", 2.0, 2.0, ()).share(2.0) == 0.5
    assert [PlotAxis("", 0.001, 1.0, (), logarithmic=True).share(v) for v in (0, 0.01, 1)] == pytest.approx(
        [0, 1 / 3, 1]
    )


def test_an_axis_has_the_ticks_of_its_scale():
    assert PlotAxis.from_scale("leakage", Scale(0.0, 0.2, 0.1)).labels == ((0.0, "0"), (0.1, "0.1"), (0.2, "0.2"))


def test_an_area_places_values_within_its_margins():
    labels = ((0.0, "0"), (1.0, "1"))
    area = PlotArea(
        PlotAxis("x", 0, 1, labels), PlotAxis("y", 0, 1, labels), 200, 100, left=50, right=10, top=5, bottom=15
    )
    assert (area.x(0), area.x(0.5), area.x(1)) == (50, 120, 190)
    assert (area.y(0), area.y(0.5), area.y(1)) == (85, 45, 5)
    assert area.columns == [(50, "0"), (190, "1")]
    assert area.rows == [(85, "0"), (5, "1")]
    assert area.path([(0, 0), (1, 1)]) == "M50 85L190 5"
    assert area.path([]) == ""


def test_labels_that_would_overlap_are_left_empty():
    labels = tuple((value, f"{value:,}") for value in (10, 100, 1000, 10_000))
    area = PlotArea(PlotAxis("x", 10, 10_000, labels), PlotAxis("y", 0, 1, ()))
    assert [label for _, label in area.columns] == ["10", "", "1,000", "10,000"]


def test_a_line_chart_follows_its_points():
    area = PlotArea(PlotAxis("x", 0, 10, ()), PlotAxis("y", 0, 1, ()), 120, 120, left=10, right=10, top=10, bottom=10)
    series = Series("a", [DataPoint(0, 0.5, 0.4, 0.6, "a: 0.5"), DataPoint(10, 1.0)])
    assert LineChart("", area, [series]).path(series) == "M10 60L110 10"


def test_a_roc_chart_has_decades_of_equal_width_and_rare_rates_at_the_edge():
    chart = build_roc_chart([STEPS])
    area = chart.area
    assert area.x(1.0) == area.width - area.right
    assert area.y(1.0) == area.top
    assert area.x(0.001) == area.x(0.0) == area.x(0.0001) == area.left
    assert area.y(0.0) == area.height - area.bottom
    assert area.x(0.01) - area.x(0.001) == pytest.approx(area.x(0.1) - area.x(0.01), abs=0.2)
    (series,) = chart.series
    middle = f"L{area.x(0.01):g} {area.y(0.5):g}"
    assert chart.path(series) == f"M68 {area.y(0):g}L68 {area.y(0.2):g}{middle}L{area.x(1):g} {area.top}"


def test_a_true_positive_rate_never_costs_more_false_positives_than_allowed():
    assert tpr_at_fpr(STEPS, 0.001) == 0.2
    assert tpr_at_fpr(STEPS, 0.01) == 0.5
    assert tpr_at_fpr(STEPS, 0.5) == 0.5
    scored = Roc("by scores", roc_curve(np.array([3.0, 2.0]), np.array([1.0, 2.0])))
    assert tpr_at_fpr(scored, 0.0) == 0.5


def test_a_report_draws_the_curve_and_lists_it():
    drawn = result(replace(finding(), roc=(STEPS,)))
    page, text = render_audit_html(drawn), render_audit_markdown(drawn)
    assert page.count('class="curve curve-1"') == 2
    assert "word for word" in page
    assert "| word for word | 0.200 | 0.500 | 0.500 |" in text
    assert "Members found at each rate" not in render_audit_html(result(finding()))


def test_differences_have_zero_in_the_middle():
    scale = scale_differences([Score(-0.1, -0.13, -0.07, 10), Score(0.02, 0.01, 0.03, 10)])
    assert (scale.low, scale.high) == (-0.2, 0.2)
    assert scale.at(0) == "50.00%"
    assert scale_differences([Score(0.0, -0.0001, 0.0001, 10)]).high == 0.01
    assert scale_differences([]).high == 0.01
