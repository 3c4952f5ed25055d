import numpy as np
import pytest

from vestige.attacks.surrogate.queried_pool import ranking_quality


def test_ranking_quality_by_hand():
    truth = np.array([[0.0, 0.5, 0.0, 1.0, 0.0, 0.0]])
    scores = np.array([[0.1, 0.9, 0.2, 0.8, 0.3, 0.0]])
    second = 1 / np.log2(3)
    assert ranking_quality(scores, truth) == pytest.approx(2 / 5 + (0.5 + second) / (1 + 0.5 * second))
