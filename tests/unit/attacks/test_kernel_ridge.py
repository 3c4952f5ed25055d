import numpy as np
import pytest

from vestige.attacks.kernel_ridge import PENALTY, KernelMap


def test_one_row_by_hand():
    """weights = y / (1 + penalty); at a right angle the kernel is exp(-2·gamma)."""
    found = KernelMap.fit(np.array([[3, 0]], dtype=np.float32), np.array([[2.0]]), gamma=0.5)
    expected = 2 / (1 + PENALTY)
    assert found(np.array([[1, 0], [0, 5]], dtype=np.float32)).ravel() == pytest.approx([expected, expected / np.e])


def test_the_length_of_a_vector_does_not_matter():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((30, 4)).astype(np.float32)
    found = KernelMap.fit(vectors, rng.standard_normal((30, 2)), gamma=2.0)
    assert found(7 * vectors[:5]) == pytest.approx(found(vectors[:5]), rel=1e-4)
