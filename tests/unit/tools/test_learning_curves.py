"""The learning curves of records, as figures."""

import xml.etree.ElementTree as ET

import pytest
from learning_curves import CONVERGED, CUT_OFF, draw_curves, list_logs
from render_results import ROOT

from vestige.papers.results import read_results

RECORDS = sorted((ROOT / "results").glob("*20*/*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_training_with_a_curve_has_a_line_in_the_colour_of_its_end(path):
    logs = [log for row in read_results(path).rows for log in list_logs(row)]
    svg = draw_curves(path)
    assert (svg is None) == (not logs)
    if svg is not None:
        assert ET.fromstring(svg).tag.endswith("svg")
        assert svg.count(f'stroke="{CONVERGED}"') == sum(log.converged for log in logs)
        assert svg.count(f'stroke="{CUT_OFF}"') == sum(not log.converged for log in logs)
        assert svg.count("http") == 1  # the namespace


def test_a_curve_that_falls_goes_from_the_upper_left_to_the_lower_right():
    path = ROOT / "results" / "pan2020" / "table2.json"
    svg = draw_curves(path)
    assert svg is not None
    points = next(line for line in svg.splitlines() if CONVERGED in line).split('"')[1].lstrip("M").split("L")
    first, last = ([float(number) for number in point.split()] for point in (points[0], points[-1]))
    assert first[0] < last[0]
    assert first[1] < last[1]
