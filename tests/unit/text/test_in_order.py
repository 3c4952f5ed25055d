"""The longest common subsequence, by hand."""

import pytest

from vestige.text.in_order import in_order


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ("a b c d", "b d", [1, 3]),
        ("a b a", "a a b", [0, 2]),
        ("a", "z", []),
        ("a b", "", []),
        ("x a", "a x a", [0, 1]),
    ],
)
def test_the_places_of_what_two_texts_share_in_order(one, other, places):
    assert in_order(one.split(), other.split()) == places
