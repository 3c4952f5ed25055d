import numpy as np
import pytest
from scipy import sparse

from vestige.attacks.surrogate.adaptation import fit_kernel_map, squared_distances
from vestige.attacks.surrogate.queried_pool import QueriedPool, WeighedDocuments, word_targets
from vestige.attacks.surrogate.word_kernel import (
    FLOOR,
    PENALTY,
    WHITENINGS,
    WIDTH,
    AxisSpread,
    PoolKernel,
    infer_held_out,
)

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


def test_what_a_held_out_answer_says_is_that_of_kernel_regression():
    """Against the regression as written: the dual weights of every word, from the whole kernel."""
    weights = sparse.csr_array(RNG.random((30, 9)) * (RNG.random((30, 9)) < 0.4))
    pool = WeighedDocuments(RNG.standard_normal((30, 6)).astype(np.float32), weights)
    targets, answers, held = (RNG.standard_normal((rows, 4)).astype(np.float32) for rows in (12, 10, 3))
    known = QueriedPool(targets, pool, np.arange(10), answers, WeighedDocuments(pool.vectors[:0], weights[:0]))
    wanted = word_targets(weights).toarray()
    kernels = PoolKernel.fit_each(known, fit_kernel_map, WHITENINGS)
    for kernel, found in zip(kernels, infer_held_out(known, fit_kernel_map, held), strict=True):
        near = np.exp(-WIDTH * squared_distances(kernel.places, kernel.places) / kernel.scale)
        dual = np.linalg.solve(near + PENALTY * np.eye(30), wanted - wanted.mean(axis=0))
        np.testing.assert_allclose(found, kernel.near(held) @ dual, atol=1e-12)
