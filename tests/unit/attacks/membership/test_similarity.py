"""Similarities against SciPy and by hand."""

import numpy as np
import pytest
from scipy.stats import norm

from vestige.attacks.membership.neighbours import SentencePairs
from vestige.attacks.membership.similarity import PRIOR_PAIRS, GaussianRatio, whitening_projection


def test_directions_are_evened_out_by_hand():
    vectors = np.array([[3, 0], [-3, 0], [0, 1], [0, -1]], dtype=np.float32)
    # Variances 6 and 2/3, their mean 10/3: divided by 28/3 and 4.
    pair = SentencePairs(np.array([[2, 1]], dtype=np.float32), np.array([[3, -1]], dtype=np.float32))
    assert whitening_projection(vectors).scores(pair) == pytest.approx([6 / (28 / 3) - 1 / 4], rel=1e-5)


def test_the_ratio_of_gaussians_is_that_of_scipy():
    rng = np.random.default_rng(4)
    pairs = SentencePairs(*rng.standard_normal((2, 30, 1)).astype(np.float32))
    members = np.arange(30) < 12
    sums, differences = (pairs.first + pairs.second)[:, 0], (pairs.first - pairs.second)[:, 0]
    centre = float(pairs.first.mean(dtype=np.float64))

    def log_density(values, side, mean):
        spread = np.square(values[side] - mean).sum() + PRIOR_PAIRS * values.var()
        return norm.logpdf(values, mean, np.sqrt(spread / (side.sum() + PRIOR_PAIRS)))

    expected = sum(
        sign * (log_density(sums, side, sums[side].mean()) + log_density(differences, side, 0.0))
        for sign, side in ((1, members), (-1, ~members))
    )
    found = GaussianRatio.fit(pairs.first, pairs, members)
    assert float(found.centre[0]) == pytest.approx(centre)
    assert found.scores(pairs) == pytest.approx(expected, rel=1e-4)
    assert found.scores(SentencePairs(pairs.second, pairs.first)) == pytest.approx(expected, rel=1e-4)
