import json
from dataclasses import replace

import pytest

from tests.sample_frontier import hostile, swept
from tests.sample_result import HOSTILE
from tests.unit.report.schemas import assert_names_every_field, list_errors, load_schema
from vestige.case.codec import dumps, from_plain, to_plain
from vestige.case.settings import Settings
from vestige.defend.record import DefendResult
from vestige.report.frontier_page import render_frontier_html, render_frontier_markdown

SCHEMA = load_schema("defend")


@pytest.mark.parametrize("made", [swept(), hostile()])
def test_records_fit_the_schema_and_survive_json(made):
    plain = json.loads(dumps(made))
    assert list_errors(SCHEMA, plain) == []
    assert dumps(from_plain(DefendResult, plain)) == dumps(made)


def test_the_schema_names_every_field_of_every_record():
    assert_names_every_field(SCHEMA, DefendResult, Settings)


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
    assert list_errors(SCHEMA, plain)


def test_a_page_has_the_answer_and_the_naive_and_adaptive_figures():
    page = render_frontier_html(swept())
    assert "The cheapest defense with words under 0.10 and recall@10 over 0.90 is gaussian:3000." in page
    for part in (
        "0.600",
        "naive -0.020",
        "only obscurity",
        "n/a",
        "in round 1",
        "vestige[leace]",
        "no column of labels",
    ):
        assert part in page, part


@pytest.mark.parametrize(
    ("chosen", "badge"), [("gaussian:3000", "gaussian:3000"), ("none", "none needed"), (None, "none chosen")]
)
def test_the_badge_names_what_was_chosen(chosen, badge):
    assert f'<span class="badge spec">{badge}</span>' in render_frontier_html(replace(swept(), chosen=chosen))


@pytest.mark.parametrize("write", [render_frontier_html, render_frontier_markdown])
def test_hostile_names_are_harmless(write):
    shown = "\n".join(line for line in write(hostile()).splitlines() if not line.startswith("    "))
    assert "script" in shown
    assert HOSTILE not in shown
    assert "<script" not in shown
