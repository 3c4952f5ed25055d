from dataclasses import replace

from tests.sample_result import SUBJECT
from vestige.report.figures import in_ten, interval, number, setting, sizes, standing, subject_rows, title, whole
from vestige.types import Score


def test_figures_have_three_places_and_no_minus_zero():
    assert [number(value) for value in (0.45733, -0.0004, -0.012, 1)] == ["0.457", "0.000", "-0.012", "1.000"]
    assert interval(Score(0.5, 0.4454, 0.46832, 9)) == "0.445 to 0.468"
    assert in_ten(0.523) == "5.2 in 10"


def test_standing_goes_by_the_interval_not_by_the_value():
    scores = [Score(0.1, 0.01, 0.2, 9), Score(0.1, 0.0, 0.2, 9), Score(-0.1, -0.2, -0.01, 9)]
    assert [standing(score) for score in scores] == ["above guessing", "not told apart from guessing", "below guessing"]


def test_counts_and_settings_are_told_in_words():
    assert (whole(35595), whole("minilm")) == ("35,595", "minilm")
    assert [setting(value) for value in (None, True, False, 12000, "text")] == ["not set", "yes", "no", "12000", "text"]
    assert sizes([Score(0, 0, 0, 1000), Score(0, 0, 0, 1000)]) == "1,000"
    assert sizes([Score(0, 0, 0, 1000), Score(0, 0, 0, 7)]) == "1,000 / 7"


def test_the_subject_is_told_with_what_it_has():
    rows = dict(subject_rows(replace(SUBJECT, corpus=None, vectors="v.npy")))
    assert (rows["Corpus"], rows["Vectors"]) == ("not given", "v.npy")
    assert rows["Texts in all"] == "35,595 in 5,138 documents"
    assert title(SUBJECT) == "Embedding audit: letters"
    assert title(replace(SUBJECT, corpus=None, vectors="v.npy")) == "Embedding audit: v.npy"
