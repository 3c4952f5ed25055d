import numpy as np
import pytest

from vestige.attacks.dictionary import Dictionary
from vestige.attacks.spelling import Speller

NAMES = Dictionary(("bank", "banker", "the", "river"), ((7,), (7, 3), (5,), (9,)), np.array([True, True, False, True]))


def test_a_word_is_as_likely_as_its_least_likely_piece_and_claimed_where_all_are():
    """By hand: pieces 7, 3 and 5 at two places. The places claim 7 and 5, so that "banker" lacks a piece."""
    ranked, claimed = Speller(NAMES).read([7, 3, 5], np.array([[0.6, 0.3, 0.1], [0.2, 0.1, 0.7]], np.float32))
    assert [name for name, _ in ranked] == ["bank", "banker"]
    assert [chance for _, chance in ranked] == pytest.approx([0.6, 0.3])
    assert claimed == {"bank"}


def test_no_chance_is_above_one():
    assert Speller(NAMES).read([7], np.array([[1.0000001]], np.float32)) == ([("bank", 1.0)], frozenset({"bank"}))
