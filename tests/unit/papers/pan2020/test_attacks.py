"""Accuracy over keywords and epochs, by hand."""

import numpy as np
import pytest

from vestige.metrics.keyword_accuracy import BalancedTests
from vestige.papers.pan2020.attacks import average_epochs, exact_score, mean_accuracy, score_epochs, worst_epochs
from vestige.types import KeywordGuesses, Score

HITS = [
    {"leg": np.array([1.0, 0.0, 1.0, 1.0]), "arm": np.array([0.0, 0.0])},
    {"leg": np.array([1.0, 0.0, 0.0, 1.0]), "arm": np.array([1.0, 0.0])},
]


def test_on_average_a_text_counts_by_its_share_of_correct_epochs():
    assert average_epochs(HITS)["leg"].tolist() == [1.0, 0.0, 0.5, 1.0]
    assert average_epochs(HITS)["arm"].tolist() == [0.5, 0.0]


def test_at_worst_each_keyword_has_its_own_epoch():
    assert worst_epochs(HITS)["leg"].tolist() == [1.0, 0.0, 1.0, 1.0]
    assert worst_epochs(HITS)["arm"].tolist() == [1.0, 0.0]


@pytest.fixture
def tests():
    """Twenty texts of twenty documents: the first ten hold "leg", the first five "arm"."""
    truth = np.zeros((20, 2), dtype=bool)
    truth[:10, 0] = truth[:5, 1] = True
    return BalancedTests.draw(("leg", "arm"), truth, [str(row) for row in range(20)], np.random.default_rng(0))


def test_every_keyword_counts_the_same_however_many_texts_it_has(tests):
    hits = {"leg": np.ones(20), "arm": np.zeros(10)}
    score = mean_accuracy(tests, hits, 0)
    assert score.value == 0.5
    assert score.n == 30
    assert score.baseline == 0.5


def test_epochs_by_hand(tests):
    right = tests.truth.astype(float)
    all_leg = np.column_stack([right[:, 0], 1 - right[:, 1]])
    epochs = [KeywordGuesses(("leg", "arm"), right), KeywordGuesses(("leg", "arm"), all_leg)]
    average, best = score_epochs(tests, epochs, 0)
    # "leg" is correct in both epochs, "arm" in one of two.
    assert average.value == 0.75
    assert best.value == 1.0


def test_what_guessing_reaches_has_no_interval():
    assert exact_score(0.25, 8) == Score(0.25, 0.25, 0.25, 8)
