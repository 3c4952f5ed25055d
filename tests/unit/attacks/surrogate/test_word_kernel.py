import numpy as np
import pytest

from vestige.attacks.surrogate.word_kernel import FLOOR, AxisSpread

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("shape", [(40, 6), (5, 9), (1, 4)])
@pytest.mark.parametrize("whitening", [0.0, 0.5, 1.0])
def test_whitening_is_that_of_the_covariance_however_few_the_vectors(shape, whitening):
    """Against all axes of the covariance, each no shorter than a share of the mean."""
    seen = RNG.standard_normal(shape) @ np.diag(np.arange(1, shape[1] + 1))
    lengths, axes = np.linalg.eigh(np.cov(seen.T, bias=True))
    raised = np.maximum(np.maximum(lengths, 0) + FLOOR * lengths.mean(), 1e-12)
    wanted = (axes * raised ** (-whitening / 2)) @ axes.T
    np.testing.assert_allclose(
        AxisSpread.fit(seen).axes(whitening), wanted, rtol=1e-6, atol=1e-9 * np.abs(wanted).max()
    )
