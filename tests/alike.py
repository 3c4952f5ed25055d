"""Guesses that are the same up to rounding: a product's last bits may depend on the place of a row among others."""

import pytest

from vestige.types import TextGuesses

CLOSE = 1e-4


def assert_alike(found, expected):
    """The very same texts; or the same sets of words, each word with the same probability."""
    if isinstance(expected, TextGuesses):
        assert found.texts == expected.texts
        return
    assert found.sets == expected.sets
    for one, other in zip(found.ranked, expected.ranked, strict=True):
        words = {word for word, _ in [*one, *other]}
        assert _chances(one, words) == pytest.approx(_chances(other, words), abs=CLOSE)


def _chances(ranked, words):
    """Of each word; one that is not listed is as likely as the last that is, at most."""
    listed = dict(ranked)
    return {word: listed.get(word, ranked[-1][1] if ranked else 0) for word in words}
