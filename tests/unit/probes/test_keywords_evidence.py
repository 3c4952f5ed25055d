"""The evidence of the probe `keywords`, by hand."""

import numpy as np
import pytest

from vestige.probes.keywords_choice import KeywordChoice
from vestige.probes.keywords_evidence import base_log_odds, examples, likeliest
from vestige.text.keywords import keyword_table
from vestige.types import KeywordGuesses


def test_base_log_odds_by_hand():
    """1 of 3 texts: 1.5 to 2.5. None: 0.5 to 3.5."""
    found = base_log_odds(["To Rome.", "A film.", "Salad."], ["rome", "oslo"])
    assert found == pytest.approx(np.log([1.5 / 2.5, 0.5 / 3.5]))


def test_the_likeliest_keyword_is_weighted_by_its_frequency():
    """Odds of 3 : 2 and 4 : 1 on balanced sets are 13.5 and 4 / 9 if the keywords are in 9 of 10 and 1 of 10 texts."""
    guesses = KeywordGuesses(("common", "rare"), np.array([[0.6, 0.8], [0.6, 0.999], [0.0, 1.0], [0.5, 0.5]]))
    held = np.array([[True, False]] * 4)
    assert likeliest(guesses, np.log([9, 1 / 9]), held).tolist() == [1, 0, 0, 1]
    assert likeliest(guesses, np.zeros(2), held).tolist() == [0, 0, 0, 1]


def marked(text, keywords, claimed):
    held = keyword_table([text, "nothing"], keywords)
    guesses = KeywordGuesses(tuple(keywords), np.array([claimed, [0.0] * len(keywords)]))
    found = examples([text, "nothing"], KeywordChoice(tuple(keywords), tuple(keywords), held), guesses, False)
    return [(token.state, token.text) for token in found[0].tokens]


def test_a_keyword_of_several_words_is_marked_where_it_occurs():
    found = marked("A new car in New York’s heart.", ["new york", "oslo"], [0.9, 0.1])
    assert [state for state, _ in found] == ["other"] * 4 + ["hit"] * 2 + ["other"]
    assert [text for _, text in found if text] == ["new", "york’s"]


@pytest.mark.parametrize("keywords", [["york", "new york", "oslo"], ["new york", "york", "oslo"]])
def test_a_claimed_keyword_wins_over_one_that_was_missed(keywords):
    claimed = [0.9 if keyword == "york" else 0.1 for keyword in keywords]
    found = marked("In New York.", keywords, claimed)
    assert found == [("other", None), ("missed", None), ("hit", "york")]
    claimed = [0.9 if keyword == "new york" else 0.1 for keyword in keywords]
    assert [state for state, _ in marked("In New York.", keywords, claimed)] == ["other", "hit", "hit"]


def test_a_text_that_contains_every_keyword_is_an_example_too():
    held = np.array([[True], [True], [False]])
    guesses = KeywordGuesses(("rome",), np.array([[0.9], [0.9], [0.1]]))
    found = examples(["Rome.", "To Rome.", "A film."], KeywordChoice(("rome",), ("rome",), held), guesses, False)
    assert [example.score for example in found] == [1] * 5
