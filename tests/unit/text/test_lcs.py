"""The longest common subsequence, by hand."""

import pytest

from vestige.text.lcs import longest_common_subsequence


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
    assert longest_common_subsequence(one.split(), other.split()) == places
