"""A few lines of TOML describe a pattern; an error in them names the key."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.patterns import load_pattern

GOOD = """
template = "order {prefix}{number} of {year}"
secret = ["number"]

[fields]
prefix.choices = ["A", "B"]
number = { alphabet = "0123", length = 2 }
year = { range = [8, 10], digits = 2 }
"""
DATE = """
template = "{y}-{m}-{d}"
secret = ["d"]
date = ["y", "m", "d"]

[fields]
y.range = [2023, 2024]
m.range = [2, 2]
d.range = [28, 31]
"""


def parse(folder, text):
    path = folder / "mine.toml"
    path.write_text(text)
    return load_pattern(path)


def test_a_file_by_its_path_as_text_or_as_path(tmp_path):
    pattern = parse(tmp_path, GOOD)
    assert pattern == load_pattern(str(tmp_path / "mine.toml"))
    assert pattern.name == "mine"
    assert pattern.secrets == {"number[1]": tuple("0123"), "number[2]": tuple("0123")}


def test_combined_characters_are_one_field(tmp_path):
    pattern = parse(tmp_path, GOOD.replace("length = 2", "length = 2, together = true"))
    assert len(pattern.secrets["number"]) == 16


WRONG = {
    "broken TOML": ("[fields]", "[fields", "is not TOML: .*line 5"),
    "unknown key": ("secret =", "secrets = ['x']\nsecret =", "unknown key 'secrets'; did you mean 'secret'"),
    "unknown key of a field": (
        "length = 2",
        "lenght = 2",
        "fields.number: unknown key 'lenght'; did you mean 'length'",
    ),
    "unknown field in the template": ("{year}", "{yaer}", "template: unknown field 'yaer' .*did you mean 'year'"),
    "template with a format": ("{year}", "{year:04}", "carries a format"),
    "template with a lone brace": ("{year}", "{year", "cannot be parsed"),
    "field twice": ("{year}", "{year}{year}", "field 'year' occurs twice"),
    "no template": ('template = "order {prefix}{number} of {year}"', "", "template: found nothing; expected text"),
    "template that is no text": ('"order {prefix}{number} of {year}"', "7", "template: found 7; expected text"),
    "field never used": (" of {year}", "", "field 'year' is in no template"),
    "no fields": ("[fields]", "[feelings]", "unknown key 'feelings'; did you mean 'fields'"),
    "empty alphabet": ('"0123"', '""', "fields.number.alphabet: found ''; expected characters"),
    "alphabet with a character twice": ('"0123"', '"00"', "fields.number.alphabet: found '00'; .*none twice"),
    "endless length": ("length = 2", "length = 1_000_000_000_000", "number is too large; expected at most 1,000"),
    "endless digits": ("digits = 2", "digits = 1_000_000_000_000", "number is too large; expected at most 1,000"),
    "endless power": ("length = 2", "length = 99_999_999, together = true", "number is too large"),
    "number of 5,000 digits": ("length = 2", f"length = {'9' * 5000}", "is not TOML: Exceeds the limit"),
    "hexadecimal number": ("[8, 10]", f"[8, 0x{'f' * 5000}]", "number is too large"),
    "deep lists": ("[8, 10]", "[" * 50_000, "is not TOML: maximum recursion depth"),
    "zero length": ("length = 2", "length = 0", "fields.number.length: found 0; expected a whole number"),
    "reversed range": ("[8, 10]", "[10, 8]", r"fields.year: the range \[10, 8\] is reversed; expected \[8, 10\]"),
    "range of one end": ("[8, 10]", "[8]", r"fields.year.range: found \[8\]; expected two"),
    "range of fractions": ("[8, 10]", "[8, 1.5]", "fields.year.range: found 1.5; expected a whole number"),
    "endless range": ("[8, 10]", "[0, 99999]", "100,000 numbers in the range; expected at most 10,000"),
    "too few digits": ("[8, 10]", "[8, 100]", "100 does not fit in 2 digits; expected digits = 3"),
    "no choices": ('["A", "B"]', "[]", r"fields.prefix.choices: found \[\]"),
    "choice twice": ('["A", "B"]', '["A", "A"]', "'A' is listed more than once"),
    "two kinds": ("digits = 2", 'digits = 2, alphabet = "a"', "fields.year: found range and alphabet"),
    "no kind": ("range = [8, 10], ", "", "fields.year: found none of range, alphabet, choices"),
    "nothing secret": ('["number"]', "[]", r"secret: found \[\]; expected .*name the fields to attack"),
    "no secret": ('secret = ["number"]', "", "secret: found nothing"),
    "unknown secret": ('["number"]', '["numbr"]', "secret: unknown field 'numbr'; did you mean 'number'"),
    "secret not in a template": (
        'template = "order {prefix}{number} of {year}"',
        'template = ["{prefix}{number}{year}", "{year}"]',
        "secret field 'number' is not in template '{year}'",
    ),
    "too many together": ("length = 2", "length = 7, together = true", "too many values to combine"),
    "together that is no truth": ("length = 2", 'length = 2, together = "yes"', "together: found 'yes'; expected true"),
    "secret of one value": ('alphabet = "0123"', 'alphabet = "0"', "only one value"),
}


@pytest.mark.parametrize("what", WRONG)
def test_an_error_names_the_file_and_the_key(what, tmp_path):
    before, after, message = WRONG[what]
    assert before in GOOD
    with pytest.raises(InputError, match=message) as error:
        parse(tmp_path, GOOD.replace(before, after))
    assert "mine.toml" in str(error.value)


WRONG_DATES = {
    "two fields": ('["y", "m", "d"]', '["y", "m"]', "date: 2 fields; expected three"),
    "unknown field": ('["y", "m", "d"]', '["y", "m", "x"]', "date: unknown field 'x'"),
    "no number": ("m.range = [2, 2]", 'm.choices = ["May"]', "date: field 'm' is not a number"),
    "no such day": ("[28, 31]", "[30, 31]", "date: no combination of these ranges is a date"),
}


@pytest.mark.parametrize("what", WRONG_DATES)
def test_a_date_must_be_one(what, tmp_path):
    before, after, message = WRONG_DATES[what]
    with pytest.raises(InputError, match=message):
        parse(tmp_path, DATE.replace(before, after))


def test_a_date_is_a_day_of_the_calendar(tmp_path):
    drawn = set(parse(tmp_path, DATE).generate(200, np.random.default_rng(0)).texts)
    assert drawn == {"2023-2-28", "2024-2-28", "2024-2-29"}
