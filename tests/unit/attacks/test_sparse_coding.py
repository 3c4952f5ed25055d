from itertools import product

import numpy as np
import pytest
import torch
from scipy.optimize import nnls
from sklearn.linear_model import Lasso

from vestige.attacks.sparse_coding import mean_field, projected_adam


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(12, 8))
    codes = np.where(rng.random((5, 12)) < 0.3, rng.random((5, 12)), 0)
    return atoms, codes @ atoms + 0.05 * rng.normal(size=(5, 8))


def test_orthogonal_atoms_give_the_soft_threshold():
    """By hand: |z - t|² + 0.5·z is least at t - 0.25, and at 0 where that is negative."""
    codes = projected_adam(torch.eye(3), torch.tensor([[1.0, 0.2, -1.0]]), penalty=0.5, rate=0.01, steps=2000)
    assert codes.numpy() == pytest.approx(np.array([[0.75, 0, 0]]), abs=1e-3)


@pytest.fixture
def to_the_end(monkeypatch):
    """Nothing is little enough to stop at."""
    monkeypatch.setattr("vestige.attacks.convergence.LITTLE", 0.0)


def lasso_of(atoms, targets, penalty):
    """scikit-learn halves the mean of squares."""
    lasso = Lasso(alpha=penalty / (2 * atoms.shape[1]), positive=True, fit_intercept=False, tol=1e-10, max_iter=100_000)
    return np.array([lasso.fit(atoms.T, target).coef_ for target in targets])


@pytest.mark.usefixtures("to_the_end")
def test_projected_adam_finds_the_lasso_of_scikit_learn(problem):
    atoms, targets = problem
    codes = projected_adam(torch.tensor(atoms), torch.tensor(targets), penalty=0.4, rate=3e-3, steps=6000)
    assert codes.numpy() == pytest.approx(lasso_of(atoms, targets, 0.4), abs=2e-3)


@pytest.mark.usefixtures("to_the_end")
def test_without_a_penalty_it_is_non_negative_least_squares(problem):
    atoms, targets = problem[0][:6], problem[1]
    codes = projected_adam(torch.tensor(atoms), torch.tensor(targets), penalty=0.0, rate=3e-3, steps=6000)
    for code, target in zip(codes.numpy(), targets, strict=True):
        assert code == pytest.approx(nnls(atoms.T, target)[0], abs=2e-3)


def test_as_published_it_stops_where_the_lasso_is_as_good_as_reached():
    """Adam 1e-3 and penalty 0.1, as the paper has it, and the stop as it is."""
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(40, 60)) / 8
    targets = np.where(rng.random((20, 40)) < 0.15, rng.random((20, 40)), 0) @ atoms
    codes = projected_adam(torch.tensor(atoms), torch.tensor(targets), penalty=0.1).numpy()
    best = lasso_of(atoms, targets, 0.1)
    reached, least = (np.square(z @ atoms - targets).sum(axis=1) + 0.1 * z.sum(axis=1) for z in (codes, best))
    assert reached == pytest.approx(least, rel=1e-3)
    assert codes == pytest.approx(best, abs=0.02)
    assert ((codes > 0.01) == (best > 0.01)).all()


def test_a_target_stops_by_itself(problem):
    """One that is soon reached gets the same code beside one that is far."""
    atoms, near, far = torch.tensor(problem[0]), torch.tensor(problem[1][:1]), torch.tensor(9 * problem[1][1:2])
    beside, twice = (projected_adam(atoms, torch.cat([near, other]), penalty=0.4) for other in (far, near))
    assert beside[0].numpy() == pytest.approx(twice[0].numpy(), abs=1e-9)


def _field(atoms, target, amplitude, log_odds, sweeps=30):
    atoms, target = torch.tensor(atoms), torch.tensor(target)
    full = torch.full((1, len(atoms)), amplitude, dtype=atoms.dtype)
    odds = torch.tensor(log_odds, dtype=atoms.dtype)[None]
    return mean_field((atoms @ atoms.T)[None], (atoms @ target)[None], full, odds, sweeps=sweeps)[0].numpy()


def test_the_mean_field_of_orthogonal_atoms_is_exact():
    """By hand: log odds + amplitude·t - amplitude²/2."""
    found = _field(np.eye(3), np.array([2.0, 0.5, -1.0]), 2.0, [-1.0, -1.0, 0.0], sweeps=1)
    assert found == pytest.approx([-1 + 4 - 2, -1 + 1 - 2, 0 - 2 - 2])


def test_the_mean_field_of_a_clear_case_is_that_of_trying_every_set():
    rng = np.random.default_rng(1)
    atoms = rng.normal(size=(6, 5)) * 3
    present = np.array([1, 0, 0, 1, 0, 1])
    target = present @ atoms + 0.1 * rng.normal(size=5)
    sets = np.array(list(product([0, 1], repeat=6)))
    weights = np.exp(-0.5 * np.square(sets @ atoms - target).sum(axis=1) - 2.0 * sets.sum(axis=1))
    chances = (weights @ sets) / weights.sum()
    assert (chances > 0.5).astype(int).tolist() == present.tolist()
    assert ((_field(atoms, target, 1.0, [-2.0] * 6) > 0).astype(int)).tolist() == present.tolist()


def test_an_atom_explained_by_a_likelier_one_is_not_claimed():
    """Two near copies: the first is likelier before the vector is seen, and takes it all."""
    atoms = np.array([[3.0, 0.0], [2.9, 0.3]])
    found = _field(atoms, np.array([3.0, 0.0]), 1.0, [-1.0, -4.0])
    assert found[0] > 2
    assert found[1] < -2
