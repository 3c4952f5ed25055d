"""The sensitivity and the scale by hand, and how well the noise hides a word."""

import pytest

from tests.unit.defenses.adaptive import leak
from vestige.defenses.laplace import LaplaceMechanism, estimate_sensitivity
from vestige.errors import InputError

PAIRS = ([[0, 0], [1, 1], [2, 2]], [[1, -2], [1, 1], [2, 5]])
"""L1 distances of 3, 0 and 3."""


def test_sensitivity_is_the_largest_or_the_mean_distance():
    assert estimate_sensitivity(*PAIRS) == 3
    assert estimate_sensitivity(*PAIRS, estimate="mean") == 2
    with pytest.raises(InputError, match="none of 2 changes moved its vector"):
        estimate_sensitivity([[1.0], [2.0]], [[1.0], [2.0]])
    with pytest.raises(InputError, match=r"shape \(1, 1\), the changed ones \(2, 1\)"):
        estimate_sensitivity([[1.0]], [[1.0], [2.0]])
    with pytest.raises(InputError, match="The 'estimate' parameter must be 'largest' or 'mean'"):
        estimate_sensitivity(*PAIRS, estimate="median")


def test_the_scale_comes_from_pairs_or_from_a_setting():
    assert float(LaplaceMechanism(epsilon=2).fit([[0, 0]], pairs=PAIRS).scale_) == 1.5
    assert float(LaplaceMechanism(epsilon=2, estimate="mean").fit([[0, 0]], pairs=PAIRS).scale_) == 1
    assert float(LaplaceMechanism(epsilon=2, sensitivity=8).fit([[0, 0]], pairs=PAIRS).scale_) == 4
    with pytest.raises(InputError, match="the vectors have 2 columns, and fit was given 3"):
        LaplaceMechanism().fit([[0, 0, 0]], pairs=PAIRS)
    with pytest.raises(InputError, match="set 'sensitivity', or give pairs="):
        LaplaceMechanism().fit([[0, 0]])


def test_a_small_epsilon_hides_a_word_and_a_large_one_does_not(keyword_case):
    assert 0.45 < leak("laplace:1,sens=1", keyword_case) < 0.55
    assert leak("laplace:100,sens=1", keyword_case) > 0.97
