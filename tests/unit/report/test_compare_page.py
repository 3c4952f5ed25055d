"""The page and the Markdown of a comparison."""

import json

from tests.sample_comparison import base_result, compared, hostile_comparison
from tests.sample_result import HOSTILE
from tests.unit.report.schemas import assert_names_every_field, list_errors, load_schema
from vestige.audit.compare import compare
from vestige.audit.comparison import Comparison
from vestige.case.codec import dumps
from vestige.report.compare_page import render_comparison_html, render_comparison_markdown

SCHEMA = load_schema("compare")


def test_comparisons_fit_the_schema():
    for made in (compared(), hostile_comparison()):
        assert list_errors(SCHEMA, json.loads(dumps(made))) == []
    assert list_errors(SCHEMA, json.loads(dumps(compared())) | {"change": "bad"})


def test_the_schema_names_every_field_of_every_record():
    assert_names_every_field(SCHEMA, Comparison)


def test_the_page_shows_the_changes_and_the_conditions():
    html = render_comparison_html(compared())
    for part in ("leaks more than", "+0.04", "worse", "better", "undecided", "not paired", "Failed", "Held"):
        assert part in html
    assert "Not comparable: its figures in BASE have a warning" in html


def test_nothing_foreign_is_markup():
    assert HOSTILE not in render_comparison_html(hostile_comparison())
    assert "<script" not in render_comparison_markdown(hostile_comparison())


def test_the_markdown_is_short_enough_for_a_pull_request():
    markdown = render_comparison_markdown(compared())
    shown, _, folded = markdown.partition("<details>")
    assert shown.startswith("### Vestige: 'new' leaks more than 'base' in words")
    assert shown.count("\n| ") == 7  # heads, rule, five probes
    assert "**failed**: worse" in shown
    assert len(shown) < 1500
    assert "</details>" in folded


def test_equal_inputs_are_stated():
    assert "All inputs and settings are the same" in render_comparison_html(compare(base_result(), base_result()))
    assert "All inputs and settings are the same" in render_comparison_markdown(compare(base_result(), base_result()))
