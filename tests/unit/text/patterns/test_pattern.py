"""Records that a pattern generates and reads."""

from datetime import date

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.patterns import load_pattern
from vestige.text.patterns.pattern import real_dates


def rng(seed=0):
    return np.random.default_rng(seed)


def test_the_texts_contain_the_secrets():
    records = load_pattern("citizen-id").generate(40, rng())
    parts = list(zip(*records.secrets.values(), strict=True))
    assert [text[6:14] for text in records.texts] == ["".join(values) for values in parts]


def test_dates_agree_with_the_calendar():
    def exists(*day):
        try:
            return bool(date(*day))
        except ValueError:
            return False

    years, months, days = (1900, 2000, 2023, 2024), range(14), range(33)
    found = {(years[y], months[m], days[d]) for y, m, d in real_dates(years, months, days).tolist()}
    assert found == {(y, m, d) for y in years for m in months for d in days if exists(y, m, d)}


def test_values_are_uniform():
    drawn = load_pattern("genome").generate(4000, rng())
    counts = np.array([[values.count(letter) for letter in "ACGT"] for values in drawn.secrets.values()])
    assert counts.sum(axis=1).tolist() == [4000] * 20
    assert abs(counts - 1000).max() < 5 * np.sqrt(4000 * 0.25 * 0.75)


def test_every_template_is_used():
    texts = load_pattern("birth-date").generate(30, rng()).texts
    assert {text[:4] for text in texts} == {"date", "I wa"}


def test_the_same_seed_gives_the_same_records():
    pattern = load_pattern("phone-number")
    assert pattern.generate(9, rng()) == pattern.generate(9, rng())
    assert pattern.generate(9, rng()) != pattern.generate(9, rng(1))


def test_no_texts_have_no_secrets():
    records = load_pattern("citizen-id").generate(0, rng())
    assert records.texts == []
    assert records.secrets == {"year": (), "month": (), "day": ()}


def test_letters_with_spaces_between_them():
    records = load_pattern("genome-spaced").generate(1, rng())
    assert records.texts[0].split(" ") == [values[0] for values in records.secrets.values()]


def test_a_text_of_another_format_is_rejected():
    with pytest.raises(InputError, match=r"text 1 does not follow pattern 'genome': expected '\{sequence\}'"):
        load_pattern("genome").read(["ACGT" * 5, "ACGT"])


def test_the_best_guess_at_a_date_is_the_most_frequent_day(tmp_path):
    path = tmp_path / "late.toml"
    path.write_text(
        'template = "{year}-{month}-{day}"\nsecret = ["year", "month", "day"]\ndate = ["year", "month", "day"]\n'
        "[fields]\nyear.range = [2001, 2002]\nmonth.range = [1, 3]\nday.range = [27, 31]\n",
        encoding="utf-8",
    )
    pattern = load_pattern(path)
    assert pattern.chances == pytest.approx({"year": 1 / 2, "month": 5 / 12, "day": 6 / 24})
    assert pattern.whole_chance == pytest.approx(1 / 24)


def test_records_are_taken_row_by_row():
    drawn = load_pattern("citizen-id").generate(5, np.random.default_rng(0))
    some = drawn.take([3, 1])
    assert some.texts == [drawn.texts[3], drawn.texts[1]]
    assert some.secrets["year"] == (drawn.secrets["year"][3], drawn.secrets["year"][1])
