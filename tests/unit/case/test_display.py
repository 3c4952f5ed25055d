"""How records look in a Python session."""

import pytest

from vestige.case.display import find_by_name, format_change, format_value, render_fragment
from vestige.types import Score


def test_a_missing_name_is_explained():
    assert find_by_name("a", {"a": 1}, "letter") == 1
    with pytest.raises(KeyError, match="'b' is no letter; there are: 'a'"):
        find_by_name("b", {"a": 1}, "letter")
    with pytest.raises(KeyError, match="'b' was lost; there are: none"):
        find_by_name("b", {}, "letter", "was lost")


def test_scores_have_three_places_and_zero_has_no_minus():
    score = Score(-0.0001, -0.1234, 0.5, 10)
    assert format_value(score) == "0.000 (-0.123 to 0.500)"
    assert format_value(None) == "-"
    assert format_change(score) == "+0.000 (-0.123 to +0.500)"


def test_html_is_escaped_everywhere():
    html = render_fragment("<a>", ["<b>"], ["<c>"], [["<d>"]])
    assert not any(f"<{letter}>" in html for letter in "acd")
    assert html.count("&lt;") == 4
