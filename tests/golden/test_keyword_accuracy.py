"""Accuracy on balanced sets, by hand."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.metrics.keyword_accuracy import BalancedTests, accuracy_gain, keyword_accuracy
from vestige.types import KeywordGuesses

HELD = np.array([[True, True]] * 6 + [[True, False]] * 2 + [[False, False]] * 8)
"""Sixteen texts: eight contain the first keyword, six the second."""

DOCUMENTS = [str(row) for row in range(16)]


def rng(seed=0):
    return np.random.default_rng(seed)


def guesses(first_wrong, second_wrong=()):
    probabilities = np.where(HELD, 0.9, 0.1)
    for column, rows in enumerate((first_wrong, second_wrong)):
        probabilities[list(rows), column] = 1 - probabilities[list(rows), column]
    return KeywordGuesses(("one", "two"), probabilities)


def drawn(held=HELD, documents=DOCUMENTS, keywords=("one", "two")):
    return BalancedTests.draw(keywords, held, documents, rng(1))


def test_a_test_has_all_texts_with_the_keyword_and_equally_many_without():
    tests = drawn()
    assert tests.tests["one"].tolist() == list(range(16))
    assert tests.tests["two"][:6].tolist() == list(range(6))
    assert len(tests.tests["two"]) == len(set(tests.tests["two"])) == 12
    assert tests.untested == ()


def test_accuracy_is_the_share_of_correct_guesses_and_keywords_count_the_same():
    """3 of 16 wrong: 13/16. 1 of 12 wrong: 11/12. Mean: (13/16 + 11/12) / 2 = 0.864583."""
    found = keyword_accuracy(drawn(), guesses((0, 7, 15), (3,)), rng())
    assert found.by_keyword["one"].value == 0.8125
    assert found.by_keyword["two"].value == pytest.approx(11 / 12, abs=1e-6)
    assert found.mean.value == 0.864583
    assert (found.by_keyword["one"].n, found.mean.n, found.mean.baseline) == (16, 28, 0.5)


def test_one_half_is_no_claim():
    undecided = KeywordGuesses(("one", "two"), np.full((16, 2), 0.5))
    assert keyword_accuracy(drawn(), undecided, rng()).mean.value == 0.5


def test_the_interval_of_independent_texts_is_that_of_a_share():
    """13/16 right: a standard error of sqrt(0.8125 · 0.1875 / 16) = 0.0976, times t(15) = 2.131 and sqrt(16/15)."""
    score = keyword_accuracy(drawn(), guesses((0, 7, 15)), rng()).by_keyword["one"]
    assert score.high == 1.0
    assert score.low == pytest.approx(0.8125 - 2.131 * 0.0976 * np.sqrt(16 / 15), abs=0.04)


def test_the_mean_draws_documents_for_both_keywords_at_once():
    """The same texts wrong for both keywords: drawn together the mean varies more than if each were drawn alone."""
    both = np.repeat(HELD[:, :1], 2, axis=1)
    tests = drawn(both)
    wrong = np.where(both, 0.9, 0.1)
    wrong[[0, 7, 15]] = 1 - wrong[[0, 7, 15]]
    found = keyword_accuracy(tests, KeywordGuesses(("one", "two"), wrong), rng())
    assert found.mean.low == pytest.approx(found.by_keyword["one"].low, abs=0.02)


def test_a_gain_is_paired():
    """Wrong in the same texts but one: the gain is (1/16 + 0) / 2, and its interval does not see the shared errors."""
    gain = accuracy_gain(drawn(), guesses((0, 7)), guesses((0, 7, 15)), rng())
    assert gain.value == 0.03125
    assert gain.baseline == 0.0
    nothing = accuracy_gain(drawn(), guesses((0, 7)), guesses((0, 7)), rng())
    assert (nothing.value, nothing.high) == (0.0, pytest.approx(1 - 0.025 ** (1 / 16), abs=1e-6))


def test_a_keyword_of_few_documents_is_not_tested():
    rare = np.column_stack([HELD[:, 0], np.arange(16) < 2])
    tests = drawn(rare)
    assert tests.untested == ("two",)
    assert list(keyword_accuracy(tests, guesses(()), rng()).by_keyword) == ["one"]
    with pytest.raises(InputError, match="none of 1 keywords occurs in texts of enough documents"):
        drawn(rare[:, 1:], keywords=("two",))


def test_texts_with_a_keyword_of_most_texts_are_drawn():
    most = np.arange(16)[:, None] < 10
    tests = drawn(most, keywords=("one",))
    assert most[tests.tests["one"], 0].sum() == 6
    assert len(tests.tests["one"]) == 12


def test_tables_of_other_shapes_are_refused():
    with pytest.raises(InputError, match=r"shape \(16, 2\) for 16 documents and 1 keywords"):
        drawn(keywords=("one",))
    with pytest.raises(InputError, match="same texts and keywords"):
        keyword_accuracy(drawn(), KeywordGuesses(("two", "one"), np.zeros((16, 2))), rng())
