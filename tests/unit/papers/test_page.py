"""A reproduction as a page and as Markdown."""

import json

import pytest

from tests.unit.papers.sample import CUT_OFF, GOOD, POOR, sample
from vestige.papers.page import (
    build_chart,
    build_reproduce_command,
    describe_convergence,
    describe_logs,
    format_brief,
    format_counts,
    format_measured,
    format_published,
    render_reproduction_html,
    render_reproduction_markdown,
    write_reproduction,
)
from vestige.papers.record import CLOSED_FORM, PAPER, PRIOR, Curve, Line, Plot, Point
from vestige.types import Score, TrainingLog


def test_three_files_are_written(tmp_path):
    written = write_reproduction(sample(), tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "song2020-table1.html",
        "song2020-table1.json",
        "song2020-table1.md",
    }
    assert json.loads(written.json.read_text())["minutes"] == 1.5


def test_nothing_is_written_if_a_page_cannot_be_made(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_reproduction(sample(minutes=float("nan")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_markdown_shows_the_published_figure_above_ours():
    lines = render_reproduction_markdown(sample()).splitlines()
    place = lines.index("| LSTM | published |  |  | 56.74 | &lt; 10 |")
    assert lines[place - 1] == "| **Equation 5** |  |  |  |  |  |"
    assert (
        lines[place + 1]
        == "| `dual:lstm` | the paper's recipe | 100 | not converged: undecided | 50.0 (45.0 to 55.0) | - |"
    )
    assert lines[place + 2] == "|  | guessing | 100 |  | 7.0 (5.0 to 9.0) | - |"
    assert "skipped: not here \\| nor there" in "\n".join(lines)
    assert "- The texts are others." in lines


def test_samples_follow_the_table():
    lines = render_reproduction_markdown(sample()).splitlines()
    place = lines.index("Equation 7, LSTM:")
    assert lines[place + 2] == "- A &lt;text&gt; - some, words"
    assert place > lines.index("| LSTM | published |  |  | 59.98 | 52.55 |")
    page = render_reproduction_html(sample())
    assert "<li>A &lt;text&gt; - some, words</li>" in page
    assert page.count("<h2>Samples</h2>") == 1
    assert "<h2>Samples</h2>" not in render_reproduction_html(sample(rows=sample().rows[:1]))


def test_the_command_repeats_the_run():
    command = build_reproduce_command(sample())
    assert command == (
        "vestige reproduce song2020 table1 --scale small --set epochs=30 --seed 3 --encoder BERT=hf:mine@mean"
    )
    chosen = build_reproduce_command(sample(models=("LSTM", "BERT"), sections=("Equation 7",), device="cuda"))
    assert "--models LSTM,BERT --sections 'Equation 7' --device cuda --seed 3" in chosen
    assert "'Sentence-BERT=st:my model'" in build_reproduce_command(sample(encoders=("Sentence-BERT=st:my model",)))


def test_every_line_states_its_n():
    few = Score(0.5, 0.4, 0.6, 90)
    assert format_counts([GOOD, None]) == "100"
    assert format_counts([GOOD, few, POOR]) == "90 to 100"
    assert format_counts([None]) == "-"
    page = render_reproduction_html(sample())
    assert page.count("<td>100</td>") == sum(len(row.lines) for row in sample().rows)
    assert "ours, n 100</span>" in page


def test_figures_are_in_percent():
    assert (format_published(56.7), format_published(None), format_published("< 10")) == ("56.70", "-", "< 10")
    assert (format_measured(GOOD), format_measured(None)) == ("50.0 (45.0 to 55.0)", "-")
    assert (format_brief(GOOD), format_brief(None)) == ("50.0 (45-55)", "-")


def test_the_reader_learns_what_decides_the_data():
    for page in (render_reproduction_markdown(sample()), render_reproduction_html(sample())):
        assert "VESTIGE_DATA and VESTIGE_MODELS decide" in page
        assert "named without their folders" in page


def test_the_page_needs_nothing_but_itself_and_escapes_its_content():
    page = render_reproduction_html(sample())
    assert "Table 1: a &lt;table&gt;" in page
    assert "http:" not in page
    assert "https:" not in page
    assert "<script" not in page
    assert page.count("<figure>") == 1
    assert "skipped: not here | nor there" in page


def test_a_page_without_plots_has_no_drawings():
    assert "<figure>" not in render_reproduction_html(sample(plots=()))


def test_points_are_where_they_should_be():
    area = build_chart(sample().plots[0]).area
    assert (area.x(0), area.x(2)) == (area.left, area.width - area.right)
    assert area.y(0.5) == (area.y(0) + area.y(1)) / 2
    assert [label for _, label in area.rows] == ["0", "25", "50", "75", "100"]


def test_an_advantage_below_zero_is_drawn_on_the_axis():
    area = build_chart(sample().plots[0]).area
    assert area.y(-0.3) == area.y(0) > area.y(0.1)


def test_points_are_sorted_and_have_their_interval():
    curve = Curve("ours", (Point(2, POOR), Point(0, GOOD)))
    (series,) = build_chart(Plot("one", "layer", "F1", (curve,))).series
    assert [point.x for point in series.points] == [0, 2]
    assert (series.points[0].low, series.points[0].high) == (GOOD.low, GOOD.high)
    assert series.points[0].title == "ours, 0: 0.500 (0.450 to 0.550, n 100)"


def test_a_plot_of_one_place_or_none_can_be_drawn():
    one = Plot("one", "layer", "F1", (Curve("ours", sample().plots[0].curves[0].points[:1]),))
    page = render_reproduction_html(sample(plots=(one, Plot("none", "layer", "F1", ()))))
    assert page.count("<figure>") == 2


def test_many_places_have_few_labels():
    points = tuple(Point(at, GOOD) for at in range(40))
    chart = build_chart(Plot("many", "layer", "F1", (Curve("ours", points),)))
    assert len(chart.area.columns) <= 8


def test_every_line_states_whether_it_converged():
    ended = TrainingLog("until it ends", True, 7)
    assert describe_convergence(Line(PAPER, (GOOD,), (ended, CLOSED_FORM))) == "converged"
    assert describe_convergence(Line(PAPER, (GOOD,), (CLOSED_FORM,))) == "none: closed form"
    assert describe_convergence(Line(PAPER, (GOOD,), (ended, CUT_OFF))) == "not converged: undecided"
    assert describe_convergence(Line(PAPER, (GOOD,))) == "not recorded"
    assert describe_convergence(Line(PRIOR, (GOOD,))) == ""


def test_the_page_gives_the_rule_of_every_training():
    sentence = "Equation 5, LSTM, the paper's recipe: until the loss rises; cut off before that: undecided, at 30."
    assert describe_logs(sample()) == [sentence]
    assert f"- {sentence}" in render_reproduction_markdown(sample())
    assert "until the loss rises" in render_reproduction_html(sample())
    assert "How the trainings ended" not in render_reproduction_html(sample(rows=sample().rows[1:]))
