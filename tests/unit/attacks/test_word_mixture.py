"""The mean field of a mixture of words, by hand and against trying every set."""

from itertools import product

import numpy as np
import pytest
import torch

from vestige.attacks.word_mixture import mean_field


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
