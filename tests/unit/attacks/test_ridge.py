import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LinearRegression, Ridge

from vestige.attacks.ridge import ridge_map, sparse_ridge


def _pairs(noise, seed=0, count=200, width=6):
    rng = np.random.default_rng(seed)
    inputs = rng.normal(size=(count, width)).astype(np.float32)
    outputs = inputs @ rng.normal(size=(width, 3)) + 2 + noise * rng.normal(size=(count, 3))
    return inputs, outputs.astype(np.float32), np.arange(0, count - 50), np.arange(count - 50, count)


def test_without_noise_it_is_least_squares():
    inputs, outputs, train, held_out = _pairs(0.0)
    least = LinearRegression().fit(inputs[train], outputs[train])
    fitted = ridge_map(inputs, outputs, train, held_out)
    assert fitted(inputs[held_out]) == pytest.approx(least.predict(inputs[held_out]), abs=1e-4)


def test_the_penalty_is_the_best_on_rows_it_was_not_fitted_to():
    inputs, outputs, train, held_out = _pairs(5.0, count=70, width=40)
    least = LinearRegression().fit(inputs[train], outputs[train])
    ours = np.square(ridge_map(inputs, outputs, train, held_out)(inputs[held_out]) - outputs[held_out]).sum()
    assert ours < 0.9 * np.square(least.predict(inputs[held_out]) - outputs[held_out]).sum()


def test_what_does_not_vary_is_no_trouble():
    inputs = np.ones((30, 3), np.float32)
    fitted = ridge_map(inputs, np.arange(30, dtype=np.float32)[:, None], np.arange(20), np.arange(20, 30))
    assert fitted(inputs[:1]) == pytest.approx(np.array([[9.5]]))


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
