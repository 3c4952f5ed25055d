"""Numbers of audits in pages come from records."""

from dataclasses import replace

import pytest
from record_audits import AUDITS, build_record, read_audit, read_whole, strip_texts
from render_results import render_page

from tests.sample_result import typical
from vestige.errors import InputError


@pytest.fixture
def records(tmp_path):
    (tmp_path / "audits").mkdir()
    (tmp_path / "audits" / "default.json").write_text(build_record("vestige audit", typical()), encoding="utf-8")
    return tmp_path


def test_a_table_has_the_numbers_of_the_record(records):
    page = "<!-- audit-table: default: words.f1; words.leakage -->\nold\n<!-- end -->\n"
    rendered = render_page(page, records)
    words = typical()["words"]
    measure = next(each for each in words.measures if each.name == "f1")
    assert f"| F1 of recovered words | **{measure.attack.value:.3f}** ({measure.attack.low:.3f}" in rendered
    assert f"**{words.leakage.value:.3f}** ({words.leakage.low:.3f} to {words.leakage.high:.3f})" in rendered
    assert "old" not in rendered
    assert render_page(rendered, records) == rendered


def test_verdict_and_summaries_are_quoted(records):
    rendered = render_page("<!-- audit-verdict: default -->\n<!-- end -->\n", records)
    assert f"> **{typical().verdict.headline}**" in rendered
    rendered = render_page("<!-- audit-summary: default: words -->\n<!-- end -->\n", records)
    assert rendered.split("\n")[1].startswith("> ")
    assert all(len(line) <= 120 for line in rendered.splitlines())


def test_a_record_has_no_text():
    (finding, *_) = strip_texts(typical())
    assert not finding.examples
    assert not finding.charts
    assert finding.per_target is None
    assert finding.leakage == replace(typical()).findings[0].leakage


def test_a_record_can_be_read_in_part_and_whole(records):
    assert read_audit("default", records / "audits").result["words"].leakage == typical()["words"].leakage
    assert read_whole("default", records / "audits") == strip_texts(typical())


def test_a_missing_record_names_the_command(tmp_path):
    with pytest.raises(InputError, match=r"python tools/record_audits.py default"):
        read_audit("default", tmp_path)


def test_severity_has_a_row_per_record_with_its_label(records):
    bare = replace(typical(), findings=(typical()["words"],))
    (records / "audits" / "short.json").write_text(build_record("vestige audit --short", bare), encoding="utf-8")
    rendered = render_page("<!-- severity: short = few words; short = the same -->\n<!-- end -->\n", records)
    leakage = bare["words"].leakage
    assert "| | F1 of the attack | guessing | leakage | level |" in rendered
    assert "| few words | " in rendered
    assert f"{leakage.value:.3f} ({leakage.low:.3f} to {leakage.high:.3f}) | {bare['words'].level} |" in rendered
    assert "`vestige audit --short`, and so on." in rendered


@pytest.mark.parametrize("name", AUDITS)
def test_the_recorded_audits_can_be_shown_as_a_report(name):
    """The pictures of the documentation are made from them."""
    assert read_whole(name).findings


def test_a_leaderboard_that_is_not_recorded_says_so(tmp_path):
    rendered = render_page("<!-- leaderboard: probes -->\n<!-- end -->\n", tmp_path)
    assert "Not recorded yet: `python tools/record_audits.py leaderboard`" in rendered
