"""Where curves of true against false positives lie, and what is read off them."""

from dataclasses import replace

import numpy as np
import pytest

from tests.sample_result import finding, result
from vestige.case.findings import Roc
from vestige.metrics.membership.curve import Point, curve
from vestige.report.as_html import as_html
from vestige.report.as_markdown import as_markdown
from vestige.report.roc import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, caught_at, lines, x_of, y_of

STEPS = Roc("word for word", (Point(0.0, 0.0), Point(0.0, 0.2), Point(0.01, 0.5), Point(1.0, 1.0)))


def test_decades_lie_evenly_and_the_rarest_at_the_edge():
    assert x_of(1.0) == WIDTH - RIGHT
    assert y_of(1.0) == TOP
    assert x_of(0.001) == x_of(0.0) == x_of(0.0001) == LEFT
    assert y_of(0.0) == HEIGHT - BOTTOM
    assert x_of(0.01) - x_of(0.001) == pytest.approx(x_of(0.1) - x_of(0.01), abs=0.2)


def test_a_path_goes_through_every_point():
    (line,) = lines((STEPS,))
    assert line.label == "word for word"
    assert line.path == f"M{LEFT} {y_of(0):g}L{LEFT} {y_of(0.2):g}L{x_of(0.01):g} {y_of(0.5):g}L{x_of(1):g} {TOP}"


def test_what_is_caught_never_costs_more_than_was_asked():
    assert caught_at(STEPS, 0.001) == 0.2
    assert caught_at(STEPS, 0.01) == 0.5
    assert caught_at(STEPS, 0.5) == 0.5
    told = Roc("by scores", curve(np.array([3.0, 2.0]), np.array([1.0, 2.0])))
    assert caught_at(told, 0.0) == 0.5


def test_a_report_draws_it_and_lists_it():
    drawn = result(replace(finding(), roc=(STEPS,)))
    page, text = as_html(drawn), as_markdown(drawn)
    assert page.count('class="curve curve-1"') == 2
    assert "word for word" in page
    assert "| word for word | 0.200 | 0.500 | 0.500 |" in text
    assert "Members found against others accused" not in as_html(result(finding()))
