"""Sparse coding: the descent against closed forms and scikit-learn, and the choice of its settings."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.optimize import nnls
from sklearn.linear_model import Lasso

from tests.toy_box import ToyBox
from vestige.attacks.dictionary import tokenize_texts
from vestige.attacks.ridge import LinearMap
from vestige.attacks.sparse_coding import (
    CodingSettings,
    SparseCoder,
    TuningRows,
    list_penalties,
    projected_adam,
    tune_settings,
)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(12, 8))
    codes = np.where(rng.random((5, 12)) < 0.3, rng.random((5, 12)), 0)
    return atoms, codes @ atoms + 0.05 * rng.normal(size=(5, 8))


def test_orthogonal_atoms_give_the_soft_threshold():
    """By hand: |z - t|² + 0.5·z is least at t - 0.25, and at 0 where that is negative."""
    codes = projected_adam(torch.eye(3), torch.tensor([[1.0, 0.2, -1.0]]), penalty=0.5, rate=0.01, steps=2000).values
    assert codes.numpy() == pytest.approx(np.array([[0.75, 0, 0]]), abs=1e-3)


@pytest.fixture
def to_the_end(monkeypatch):
    """Nothing is little enough to stop at."""
    monkeypatch.setattr("vestige.attacks.convergence.TOLERANCE", 0.0)


def lasso_of(atoms, targets, penalty):
    """scikit-learn halves the mean of squares."""
    lasso = Lasso(alpha=penalty / (2 * atoms.shape[1]), positive=True, fit_intercept=False, tol=1e-10, max_iter=100_000)
    return np.array([lasso.fit(atoms.T, target).coef_ for target in targets])


@pytest.mark.usefixtures("to_the_end")
def test_projected_adam_finds_the_lasso_of_scikit_learn(problem):
    atoms, targets = problem
    codes = projected_adam(torch.tensor(atoms), torch.tensor(targets), penalty=0.4, rate=3e-3, steps=6000).values
    assert codes.numpy() == pytest.approx(lasso_of(atoms, targets, 0.4), abs=2e-3)


@pytest.mark.usefixtures("to_the_end")
def test_without_a_penalty_it_is_non_negative_least_squares(problem):
    atoms, targets = problem[0][:6], problem[1]
    codes = projected_adam(torch.tensor(atoms), torch.tensor(targets), penalty=0.0, rate=3e-3, steps=6000).values
    for code, target in zip(codes.numpy(), targets, strict=True):
        assert code == pytest.approx(nnls(atoms.T, target)[0], abs=2e-3)


def test_as_published_it_stops_where_the_lasso_is_as_good_as_reached():
    """Adam 1e-3 and penalty 0.1, as the paper has it, and the stop as it is."""
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(40, 60)) / 8
    targets = np.where(rng.random((20, 40)) < 0.15, rng.random((20, 40)), 0) @ atoms
    codes = projected_adam(torch.tensor(atoms), torch.tensor(targets), penalty=0.1).values.numpy()
    best = lasso_of(atoms, targets, 0.1)
    reached, least = (np.square(z @ atoms - targets).sum(axis=1) + 0.1 * z.sum(axis=1) for z in (codes, best))
    assert reached == pytest.approx(least, rel=1e-3)
    assert codes == pytest.approx(best, abs=0.02)
    assert ((codes > 0.01) == (best > 0.01)).all()


def test_a_target_stops_by_itself(problem):
    """One that is soon reached gets the same code beside one that is far."""
    atoms, near, far = torch.tensor(problem[0]), torch.tensor(problem[1][:1]), torch.tensor(9 * problem[1][1:2])
    beside, twice = (projected_adam(atoms, torch.cat([near, other]), penalty=0.4).values for other in (far, near))
    assert beside[0].numpy() == pytest.approx(twice[0].numpy(), abs=1e-9)


def test_the_penalty_and_the_threshold_are_those_that_held_out_texts_choose():
    """Codes 0.5 and 0.1 are two words that the text has, 0.05 is one that it has not: the best lies between."""
    box = ToyBox()
    texts = tokenize_texts(box, ["babax bacox", "babax bacox"], "pieces", None)
    atoms = np.eye(100, dtype=np.float32)
    identity = LinearMap(np.zeros(100, np.float32), atoms, np.zeros(100, np.float32))
    coder = SparseCoder(identity, atoms, CodingSettings())
    targets = np.zeros((2, 100), np.float32)
    targets[:, :3] = 0.5, 0.1, 0.05
    rows = TuningRows(texts, targets, np.arange(2), None)
    chosen = tune_settings(coder, rows, [0.9, 0.02])
    assert chosen.penalty == 0.02
    assert 0.04 < chosen.threshold < 0.09
    assert tune_settings(coder, replace(rows, threshold=0.2), [0.02]).threshold == 0.2
    assert list_penalties(coder, targets)[:2] == [0.1, pytest.approx(0.3)]
