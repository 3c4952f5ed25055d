import json
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import get_args, get_type_hints

import pytest
from jsonschema import Draft202012Validator

from tests.unit.papers.sample import GOOD, POOR, sample
from vestige.case.codec import dumps, from_plain
from vestige.papers import plot
from vestige.papers.as_html import as_html
from vestige.papers.as_markdown import as_markdown, command
from vestige.papers.figures import counted
from vestige.papers.record import Curve, Plot, Reproduction
from vestige.papers.write import write_reproduction
from vestige.types import Score

SCHEMA = json.loads(files("vestige.papers").joinpath("reproduction-1.schema.json").read_text(encoding="utf-8"))


def records(kind):
    """A record and every record that it holds."""
    if not is_dataclass(kind):
        return {found for part in get_args(kind) for found in records(part)}
    return {kind}.union(*(records(hint) for hint in get_type_hints(kind).values()))


def test_three_files_are_written(tmp_path):
    written = write_reproduction(sample(), tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "song2020-table1.html",
        "song2020-table1.json",
        "song2020-table1.md",
    }
    assert json.loads(written.json.read_text())["minutes"] == 1.5


def test_nothing_is_written_where_a_page_cannot_be_made(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        write_reproduction(sample(minutes=float("nan")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_record_survives_the_way_to_json_and_back():
    assert from_plain(Reproduction, json.loads(dumps(sample()))) == sample()


def test_the_record_fits_its_schema():
    Draft202012Validator.check_schema(SCHEMA)
    assert list(Draft202012Validator(SCHEMA).iter_errors(json.loads(dumps(sample())))) == []


def test_the_schema_names_every_field_of_every_record():
    for record in records(Reproduction):
        described = SCHEMA["$defs"][record.__name__]
        names = {field.name for field in fields(record)}
        assert set(described["properties"]) == set(described["required"]) == names, record


@pytest.mark.parametrize(
    "spoil",
    [
        lambda plain: plain.update(schema=2),
        lambda plain: plain.pop("differs"),
        lambda plain: plain["rows"][0]["lines"][0]["scores"][0].update(value=56.7),
        lambda plain: plain["rows"][0].update(published=[567.4, None]),
    ],
)
def test_the_schema_refuses(spoil):
    plain = json.loads(dumps(sample()))
    spoil(plain)
    assert list(Draft202012Validator(SCHEMA).iter_errors(plain))


def test_markdown_sets_the_published_figure_above_ours():
    lines = as_markdown(sample()).splitlines()
    place = lines.index("| LSTM | published |  | 56.74 | - |")
    assert lines[place + 1] == "| `dual:lstm` | the paper's recipe | 100 | 50.0 (45.0 to 55.0) | - |"
    assert lines[place + 2] == "|  | guessing | 100 | 7.0 (5.0 to 9.0) | - |"
    assert "left out: not here \\| nor there" in "\n".join(lines)
    assert "- The texts are others." in lines


def test_samples_stand_under_the_table():
    lines = as_markdown(sample()).splitlines()
    place = lines.index("Equation 7, LSTM:")
    assert lines[place + 2] == "- A <text> - some, words"
    assert place > lines.index("| LSTM | published |  | 59.98 | 52.55 |")
    page = as_html(sample())
    assert "<li>A &lt;text&gt; - some, words</li>" in page
    assert page.count("<h2>Samples</h2>") == 1
    assert "<h2>Samples</h2>" not in as_html(sample(rows=sample().rows[:1]))


def test_the_command_repeats_it():
    assert command(sample()) == ("vestige reproduce song2020 table1 --scale small --seed 3 --encoder BERT=hf:mine@mean")
    assert "'Sentence-BERT=st:my model'" in command(sample(encoders=("Sentence-BERT=st:my model",)))


def test_every_line_tells_its_n():
    few = Score(0.5, 0.4, 0.6, 90)
    assert counted([GOOD, None]) == "100"
    assert counted([GOOD, few, POOR]) == "90 to 100"
    assert counted([None]) == "-"
    page = as_html(sample())
    assert page.count("<td>100</td>") == sum(len(row.lines) for row in sample().rows)
    assert "ours, n 100</li>" in page


def test_the_reader_is_told_what_decides_the_data():
    for page in (as_markdown(sample()), as_html(sample())):
        assert "VESTIGE_DATA and VESTIGE_MODELS decide" in page
        assert "named without their folders" in page


def test_the_page_needs_nothing_but_itself_and_escapes_what_it_is_given():
    page = as_html(sample())
    assert "Table 1: a &lt;table&gt;" in page
    assert "http:" not in page
    assert "https:" not in page
    assert "<script" not in page
    assert page.count("<figure>") == 1
    assert "left out: not here | nor there" in page


def test_a_page_without_plots_has_no_drawings():
    assert "<figure>" not in as_html(sample(plots=()))


def test_points_lie_where_they_should():
    drawn = sample().plots[0]
    axis = plot.axis_of(drawn)
    first, last = axis.marks(drawn.curves[0])
    assert (first.x, last.x) == (plot.LEFT, plot.WIDTH - plot.RIGHT)
    assert first.y == (plot.y_of(0) + plot.y_of(1)) / 2
    assert first.high < first.y < first.low
    assert axis.path(drawn.curves[0]) == f"M{first.x:g} {first.y:g}L{last.x:g} {last.y:g}"


def test_an_advantage_below_nothing_is_drawn_on_the_axis():
    assert plot.y_of(-0.3) == plot.y_of(0) > plot.y_of(0.1)


def test_a_plot_of_one_place_or_none_can_be_drawn():
    one = Plot("one", "layer", "F1", (Curve("ours", sample().plots[0].curves[0].points[:1]),))
    assert as_html(sample(plots=(one, Plot("none", "layer", "F1", ())))).count("<figure>") == 2


def test_many_places_have_few_labels():
    points = tuple(
        type(sample().plots[0].curves[0].points[0])(at, sample().rows[0].lines[0].scores[0]) for at in range(40)
    )
    assert len(plot.axis_of(Plot("many", "layer", "F1", (Curve("ours", points),))).places) <= 8
