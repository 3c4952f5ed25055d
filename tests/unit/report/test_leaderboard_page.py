"""The pages of a leaderboard."""

from dataclasses import replace

from tests.sample_leaderboard import board
from tests.unit.report.schemas import assert_names_every_field, list_errors, load_schema
from vestige.case.codec import dumps, to_plain
from vestige.leaderboard.record import Leaderboard
from vestige.report.leaderboard_page import render_leaderboard_html, render_leaderboard_markdown
from vestige.report.read import read_leaderboard
from vestige.report.write import write_leaderboard


def test_both_pages_have_every_encoder_with_leakage_lengths_forms_and_what_is_missing():
    for page in (render_leaderboard_html(board()), render_leaderboard_markdown(board())):
        for shown in ("0.300", "0.250 to 0.350", "0.610", "8 to 16 words", "half of the columns", "768", "0.700"):
            assert shown in page
        assert "no names" in page
        assert "too few documents; give more" in page
        assert "not installed" in page
        assert page.index("first") < page.index("second")


def test_names_of_encoders_are_escaped():
    assert "absent<b>" not in render_leaderboard_html(board())


def test_the_command_repeats_the_leaderboard():
    page = render_leaderboard_markdown(board())
    assert "vestige leaderboard" in page
    assert "--texts letters.csv" in page
    assert "--encoder first" in page
    assert "--lengths 80,200" in page
    assert "No command line repeats this" in render_leaderboard_html(board(named=False))


def test_a_stopped_run_says_what_is_pending():
    stopped = replace(board(), pending=("third",))
    assert "third" in render_leaderboard_html(stopped)
    assert "the run was stopped before" in render_leaderboard_markdown(stopped)


def test_a_leaderboard_is_read_as_it_was_written(tmp_path):
    write_leaderboard(board(), tmp_path)
    assert dumps(read_leaderboard(tmp_path)) == dumps(board())
    assert read_leaderboard(tmp_path) == board()


def test_the_record_in_python():
    result = board()
    assert result["second"].dimension == 384
    assert "absent<b>" not in result
    assert "not ranked: absent<b>" in repr(result)
    assert "0.300 (0.250 to 0.350)" in result._repr_html_()
    frame = result.to_frame()
    assert len(frame) == 2 * 7
    assert set(frame["kind"]) == {"probe", "length", "stored form", "recall@10", "retrieval"}


def test_the_schema_names_every_field():
    schema = load_schema("leaderboard")
    assert_names_every_field(schema, Leaderboard)
    assert not list_errors(schema, to_plain(board()))
