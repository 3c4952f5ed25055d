"""Word vectors that an adversary brings along, matched to a vocabulary."""

import numpy as np
import pytest

from vestige.attacks.word_vectors import match_words
from vestige.errors import InputError

WORDS = ("bank", "loan", "card")
ROWS = {"loan": np.array([1.0, 3.0]), "cow": np.array([9.0, 9.0]), "bank": np.array([3.0, 1.0])}


def test_words_are_matched_centred_and_scaled_by_hand():
    """The mean of (3, 1) and (1, 3) is (2, 2); the four numbers spread by 1."""
    places, table = match_words(ROWS, WORDS)
    assert places.tolist() == [0, 1]
    assert table.tolist() == [[1, -1], [-1, 1]]


def test_a_mapping_is_as_good_as_words_and_a_matrix():
    places, table = match_words((list(ROWS), np.stack(list(ROWS.values()))), WORDS)
    assert places.tolist() == [0, 1]
    assert (table == match_words(ROWS, WORDS)[1]).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cow": np.ones(3)}, "Got none of them"),
        ((["bank"], np.ones((2, 3))), "Got 1 words and 2 rows"),
        ({"bank": np.full(3, np.nan)}, "finite"),
        ({"bank": np.ones(3), "loan": np.ones(2)}, "several lengths"),
    ],
)
def test_what_cannot_be_matched_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        match_words(given, WORDS)
