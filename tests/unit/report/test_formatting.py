from vestige.report.formatting import (
    format_count,
    format_in_ten,
    format_interval,
    format_number,
    format_score,
    format_setting,
    format_signed,
    format_sizes,
)
from vestige.types import Score


def test_numbers_have_three_places_and_no_minus_zero():
    assert [format_number(value) for value in (0.45733, -0.0004, -0.012, 1)] == ["0.457", "0.000", "-0.012", "1.000"]
    assert format_interval(Score(0.5, 0.4454, 0.46832, 9)) == "0.445 to 0.468"
    assert format_score(Score(0.5, 0.4454, 0.46832, 9)) == "0.500 (0.445 to 0.468)"
    assert format_in_ten(0.523) == "5.2 in 10"


def test_counts_and_settings():
    assert (format_count(35595), format_count("minilm")) == ("35,595", "minilm")
    settings = [format_setting(value) for value in (None, True, False, 12000, "text", (), ("a", "b"))]
    assert settings == ["not set", "yes", "no", "12000", "text", "not set", "a, b"]
    assert format_sizes([Score(0, 0, 0, 1000), Score(0, 0, 0, 1000)]) == "1,000"
    assert format_sizes([Score(0, 0, 0, 1000), Score(0, 0, 0, 7)]) == "1,000 / 7"


def test_a_difference_has_a_sign_unless_it_is_zero():
    values = (0.0234, -0.0234, 0.0001, -0.0001)
    assert [format_signed(value) for value in values] == ["+0.023", "-0.023", "0.000", "0.000"]


def test_settings_that_hold_numbers_are_joined_like_words():
    assert format_setting((10, 50)) == "10, 50"
    assert format_setting(("bank", "card")) == "bank, card"
