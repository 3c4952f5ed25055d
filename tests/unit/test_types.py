"""Records of guesses."""

import numpy as np

from vestige.types import KeywordGuesses, silent


def test_keywords_are_ranked_by_probability_and_ties_by_order():
    guesses = KeywordGuesses(("a", "b", "c"), np.array([[0.2, 0.9, 0.5], [0.3, 0.3, 0.1]]))
    assert guesses.ranked(2) == [[("b", 0.9), ("c", 0.5)], [("a", 0.3), ("b", 0.3)]]


def test_silent_progress_advances_without_output(capsys):
    silent("encoding", 900)(32)
    assert capsys.readouterr().out == ""
