import numpy as np
import pytest

from vestige.attacks.thresholding import ScoredCandidates, decide


@pytest.fixture
def scored():
    scores = np.array([[3, 2, -np.inf], [2.5, 1, 0]], dtype=np.float32)
    hits = np.array([[True, False, False], [True, True, False]])
    return ScoredCandidates(scores, hits, np.array([1, 4]))


def test_mean_f1_by_hand(scored):
    assert scored.mean_f1(1.5) == pytest.approx((2 / 3 + 2 / 5) / 2)


def test_the_best_threshold_by_hand(scored):
    """Above 2.25 each text claims one word, a true one: F1 1 and 2/5. Lower or higher does worse."""
    best, threshold = scored.best_threshold()
    assert best == pytest.approx(0.7)
    assert 2 <= threshold < 2.5


def test_a_text_without_words_does_not_count():
    scored = ScoredCandidates(np.zeros((2, 1), np.float32), np.array([[True], [False]]), np.array([1, 0]))
    assert scored.mean_f1(-1) == 1.0


def test_nothing_to_claim_is_no_trouble():
    scored = ScoredCandidates(np.full((2, 1), -np.inf, np.float32), np.zeros((2, 1), np.bool_), np.array([1, 1]))
    assert scored.best_threshold() == (0.0, 0.0)
    assert scored.calibration()(np.zeros(2, np.float32)).tolist() == [0, 0]


def test_what_has_more_weight_counts_more():
    """Claimed: weight 3 (true) and 1 (false); there are 5 to find: 2·3 / (4 + 5)."""
    scores, hits = np.array([[2, 1, -1]], np.float32), np.array([[True, False, True]])
    scored = ScoredCandidates(scores, hits, np.array([5.0], np.float32), np.array([[3, 1, 2]], np.float32))
    assert scored.mean_f1(0) == pytest.approx(6 / 9)


def test_the_strength_with_the_best_f1_is_chosen(scored):
    worse = ScoredCandidates(-scored.scores, scored.hits, scored.sizes)
    decision = decide({0.5: worse, 1.0: scored, 1.5: scored})
    assert decision.strength == 1.0
    assert decision.threshold == scored.best_threshold()[1]
    assert (
        decision.probability(np.array([3, 2], np.float32)).tolist() == scored.calibration()(np.array([3, 2])).tolist()
    )
