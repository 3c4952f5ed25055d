import json
from dataclasses import fields, replace
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from tests.sample_frontier import hostile, swept
from tests.sample_result import HOSTILE
from tests.unit.report.test_as_json import records
from vestige.case.codec import dumps, from_plain, to_plain
from vestige.case.settings import Settings
from vestige.defend.record import DefendResult
from vestige.report.frontier.as_html import as_html
from vestige.report.frontier.as_markdown import as_markdown
from vestige.report.frontier.plot import HEIGHT, WIDTH, plot_of
from vestige.report.frontier.repeat import command
from vestige.report.frontier.write import write_frontier

SCHEMA = json.loads(files("vestige.report").joinpath("frontier/defend-1.schema.json").read_text(encoding="utf-8"))
SAMPLES = [swept(), hostile()]


def errors(plain):
    return list(Draft202012Validator(SCHEMA).iter_errors(plain))


@pytest.mark.parametrize("made", SAMPLES)
def test_records_fit_the_schema_and_come_back_as_they_were(made):
    Draft202012Validator.check_schema(SCHEMA)
    plain = json.loads(dumps(made))
    assert errors(plain) == []
    assert dumps(from_plain(DefendResult, plain)) == dumps(made)


def test_the_schema_names_every_field_of_every_record():
    for record in records(DefendResult) | {Settings}:
        described = SCHEMA["$defs"][record.__name__]
        names = {field.name for field in fields(record)}
        assert set(described["properties"]) == set(described["required"]) == names, record
        assert described["additionalProperties"] is False


@pytest.mark.parametrize(
    "spoil",
    [
        lambda plain: plain.update(schema=2),
        lambda plain: plain.update(more=1),
        lambda plain: plain["trials"][0].update(fate="lost"),
        lambda plain: plain["trials"][0]["privacy"][0].pop("control"),
        lambda plain: plain["trials"][0]["utility"].clear(),
        lambda plain: plain["rungs"][0].update(dropped=-1),
    ],
)
def test_a_spoiled_record_does_not_fit_the_schema(spoil):
    plain = to_plain(swept())
    spoil(plain)
    assert errors(plain)


def test_a_page_tells_the_answer_the_naive_and_the_adaptive_figures():
    page = as_html(swept())
    assert "The cheapest defense with words under 0.10 and recall@10 over 0.90 is gaussian:3000." in page
    for part in (
        "0.600",
        "naive -0.020",
        "only obscurity",
        "n/a",
        "at rung 1",
        "vestige[leace]",
        "no column of labels",
    ):
        assert part in page, part


@pytest.mark.parametrize(
    ("chosen", "badge"), [("gaussian:3000", "gaussian:3000"), ("none", "none needed"), (None, "none chosen")]
)
def test_the_badge_names_what_was_chosen(chosen, badge):
    assert f'<span class="badge spec">{badge}</span>' in as_html(replace(swept(), chosen=chosen))


@pytest.mark.parametrize("write", [as_html, as_markdown])
def test_hostile_names_are_harmless(write):
    told = "\n".join(line for line in write(hostile()).splitlines() if not line.startswith("    "))
    assert "script" in told
    assert HOSTILE not in told
    assert "<script" not in told


def test_points_lie_where_their_figures_say():
    drawn = plot_of(swept())
    none, rotation, chosen, dropped = drawn.points
    assert (drawn.leaks.low, drawn.leaks.high, drawn.leaks.step) == pytest.approx((0.0, 0.7, 0.1))
    assert chosen.x < none.x
    assert chosen.y > none.y
    assert rotation.naive is not None
    assert rotation.naive < chosen.x
    assert not dropped.shown
    assert all(0 <= point.x <= WIDTH and 0 <= point.y <= HEIGHT for point in drawn.points)
    assert drawn.x(drawn.leaks.high) > drawn.x(drawn.leaks.low)
    assert drawn.line == f"M{chosen.x:g} {chosen.y:g}L{none.x:g} {none.y:g}"
    assert (drawn.across, drawn.up) == (0.1, 0.9)


def test_the_command_repeats_the_sweep():
    lines = command(swept(task="product"))
    assert lines is not None
    assert lines[0] == "vestige defend"
    assert "--limit 'words<0.10'" in lines
    assert "--defenses rotation,gaussian:3000,pca:16,leace" in lines
    assert "--task product" in lines
    assert "--no-halving" in command(swept(halving=False))
    narrowed = replace(swept(), settings=Settings(probes=("words",), sample=700, vector_column="v", id_column="i"))
    assert {"--probe words", "--sample 700", "--vector-column v", "--id-column i"} <= set(command(narrowed))
    assert command(replace(swept(), settings=Settings(keywords=("a,b",)))) is None


def test_three_reports_are_written(tmp_path):
    reports = write_frontier(swept(), tmp_path / "out")
    assert json.loads(reports.json.read_text())["chosen"] == "gaussian:3000"
    assert "| rotation |" in reports.markdown.read_text()
    assert reports.html.read_text().lstrip().startswith("<!DOCTYPE html>")
