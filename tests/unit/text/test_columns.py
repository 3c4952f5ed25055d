"""The text column of a table, by its name or its values."""

from pathlib import Path

import pytest

from vestige.errors import InputError
from vestige.text.columns import ColumnSurvey, find_text_column, is_prose, survey_columns, to_text
from vestige.text.formats import Block

PATH = Path("set.csv")


def test_a_survey_lists_columns_with_strings_and_with_any_text():
    blocks = [Block(2, {"id": [1, 2], "note": ["", None]}), Block(1, {"id": [3], "late": ["x"]})]
    survey = survey_columns(blocks)
    assert (survey.rows, survey.names, survey.strings) == (3, ["id", "note", "late"], ["note", "late"])
    assert sorted(survey.filled) == ["id", "late"]


@pytest.mark.parametrize(
    ("strings", "column"), [(["title", "body"], "body"), (["review", "text"], "text"), (["letter"], "letter")]
)
def test_the_text_column_has_a_usual_name_or_is_the_only_one_of_strings(strings, column):
    assert find_text_column(PATH, ColumnSurvey(1, ["id", *strings], strings, ["id", *strings]), None) == column


def test_a_requested_column_comes_first_and_must_have_text():
    survey = ColumnSurvey(1, ["text", "title", "empty"], ["text", "title", "empty"], ["text", "title"])
    assert find_text_column(PATH, survey, "title") == "title"
    with pytest.raises(InputError, match=r"set.csv has no text in column 'empty'"):
        find_text_column(PATH, survey, "empty")
    with pytest.raises(InputError, match=r"no column 'titel' \(--text-column\); did you mean 'title'"):
        find_text_column(PATH, survey, "titel")


@pytest.mark.parametrize(("value", "text"), [(None, ""), ("a", "a"), (7, "7"), ("\ud83d!", "?!")])
def test_a_value_as_text(value, text):
    assert to_text(value) == text


@pytest.mark.parametrize(
    ("values", "prose"),
    [
        (["The bank closed my account.", "No one would help me."], True),
        (["Rome", "Oslo", "Paris"], False),
        (["a long label of words"] * 11 + ["another label of words"], False),
        (["2020-01-02 10:00 77", "2020-01-03 11:00 78"], False),
        (["这家银行关闭了我的账户", "没有人愿意帮助我们"], True),
        (["是", "否", "无"], False),
        ([None, "", 3], False),
    ],
)
def test_prose_is_distinguished_from_labels_and_numbers(values, prose):
    assert is_prose(values) is prose
