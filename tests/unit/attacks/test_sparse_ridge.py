"""Ridge regression on sparse rows, against scikit-learn's."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from vestige.attacks.sparse_ridge import sparse_ridge


@pytest.fixture
def problem():
    rng = np.random.default_rng(2)
    design = (rng.random((200, 30)) < 0.2).astype(np.float32)
    targets = rng.normal(size=(200, 4)).astype(np.float32)
    targets[:, 3] = 0
    return design, targets


@pytest.mark.parametrize("penalty", [0.7, 20.0])
def test_it_is_ridge_regression(problem, penalty):
    design, targets = problem
    found = sparse_ridge(sparse.csr_array(design), targets, penalty, steps=60)
    expected = Ridge(alpha=penalty, fit_intercept=False, solver="cholesky").fit(design, targets).coef_.T
    assert found == pytest.approx(expected, abs=1e-3)


def test_a_start_at_the_solution_stays_there(problem):
    design, targets = problem
    solved = Ridge(alpha=2, fit_intercept=False, solver="cholesky").fit(design, targets).coef_.T
    found = sparse_ridge(sparse.csr_array(design), targets, 2.0, start=solved.astype(np.float32), steps=1)
    assert found == pytest.approx(solved, abs=1e-3)
    assert not np.allclose(sparse_ridge(sparse.csr_array(design), targets, 2.0, steps=1), solved, atol=1e-2)
