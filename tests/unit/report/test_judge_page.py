"""The pages of a judgement."""

from dataclasses import replace

from tests.sample_frontier import swept
from vestige.case.codec import dumps
from vestige.defend.judge import describe_judgement
from vestige.report.judge_page import render_judge_html, render_judge_markdown
from vestige.report.read import read_judgement
from vestige.report.write import write_judgement


def judged(raw="raw.npy", protected="safe.npy"):
    """The sample sweep, with the first of its obscure defenses as the judged one."""
    sweep = swept()
    obscure = next(trial.defense for trial in sweep if trial.obscure)
    trials = tuple(replace(trial, defense="judged") if trial.defense == obscure else trial for trial in sweep)
    return describe_judgement(replace(sweep, trials=trials), raw, protected, None)


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
