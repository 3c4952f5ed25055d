import numpy as np
import pytest

from vestige.attacks.claiming import Scored, set_aside


@pytest.fixture
def scored():
    scores = np.array([[3, 2, -np.inf], [2.5, 1, 0]], dtype=np.float32)
    hits = np.array([[True, False, False], [True, True, False]])
    return Scored(scores, hits, np.array([1, 4]))


def test_mean_f1_by_hand(scored):
    assert scored.mean_f1(1.5) == pytest.approx((2 / 3 + 2 / 5) / 2)


def test_the_best_threshold_by_hand(scored):
    """Above 2.25 each text claims one word, a true one: F1 1 and 2/5. Lower or higher does worse."""
    best, threshold = scored.best_threshold()
    assert best == pytest.approx(0.7)
    assert 2 <= threshold < 2.5


def test_a_text_without_words_does_not_count():
    scored = Scored(np.zeros((2, 1), np.float32), np.array([[True], [False]]), np.array([1, 0]))
    assert scored.mean_f1(-1) == 1.0


def test_nothing_to_claim_is_no_trouble():
    scored = Scored(np.full((2, 1), -np.inf, np.float32), np.zeros((2, 1), np.bool_), np.array([1, 1]))
    assert scored.best_threshold() == (0.0, 0.0)
    assert scored.calibration()(np.zeros(2, np.float32)).tolist() == [0, 0]


def test_no_document_stands_on_both_sides():
    documents = [str(row // 5) for row in range(100)]
    kept, held = set_aside(100, documents, np.random.default_rng(0))
    assert len(held) == 10
    assert not {documents[row] for row in kept} & {documents[row] for row in held}
