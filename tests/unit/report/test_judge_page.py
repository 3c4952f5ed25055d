"""The pages of a judgement."""

from dataclasses import replace

from tests.sample_judgement import judged
from vestige.case.codec import dumps
from vestige.report.judge_page import render_judge_html, render_judge_markdown
from vestige.report.read import read_judgement
from vestige.report.write import write_judgement


def test_the_label_and_the_command_are_on_both_pages():
    result = judged()
    assert result.label == "obscurity"
    for page in (render_judge_html(result), render_judge_markdown(result)):
        assert "Obscurity: it stops only an attacker who does not know it" in page
        assert "vestige judge raw.npy safe.npy" in page
        assert "vestige defend" not in page


def test_without_names_there_is_no_command():
    page = render_judge_html(judged(raw="vectors"))
    assert "No command line repeats this" in page
    assert "vestige judge" not in render_judge_markdown(judged(protected="vectors"))


def test_a_judgement_is_read_as_it_was_written(tmp_path):
    result = judged()
    write_judgement(result, tmp_path)
    assert dumps(read_judgement(tmp_path)) == dumps(result)
    assert repr(result).startswith("JudgeResult: Obscurity")
    assert result.headline in result._repr_html_()


def test_the_method_says_how_a_defense_is_judged_by_its_output():
    for page in (render_judge_html(judged()), render_judge_markdown(judged())):
        assert "The judged defense is known by its output only" in page
        assert "Every defense was fitted" not in page
    assert "How to repeat this judgement" in render_judge_html(judged())


def test_without_limits_no_defense_meets_any():
    result = judged()
    free = replace(result, sweep=replace(result.sweep, limits=()))
    for page in (render_judge_html(free), render_judge_markdown(free)):
        assert "meets the limits" not in page
