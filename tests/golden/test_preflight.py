"""Numbers of the preflight, computed by hand or by another method."""

import numpy as np
import pytest

from vestige.preflight.duplicates import NEAR, find_first_equal, find_near
from vestige.preflight.variation import effective_dimension, mean_cosine


def rows(*given):
    return np.array(given, dtype=np.float32)


def test_mean_cosine():
    assert mean_cosine(rows([1, 0], [1, 0], [0, 1])) == pytest.approx(1 / 3)
    assert mean_cosine(rows([1, 0], [-1, 0])) == pytest.approx(-1)
    some = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32) + 0.5
    some /= np.linalg.norm(some, axis=1, keepdims=True)
    assert mean_cosine(some) == pytest.approx((some @ some.T)[~np.eye(50, dtype=bool)].mean(), abs=1e-6)


def test_effective_dimension():
    assert effective_dimension(np.eye(4, dtype=np.float32)) == pytest.approx(3)
    assert effective_dimension(rows([1, 0], [-1, 0], [1, 0], [-1, 0])) == pytest.approx(1)
    assert effective_dimension(rows([2, 0], [-2, 0], [0, 1], [0, -1])) == pytest.approx((4 + 1) ** 2 / (16 + 1))
    some = np.random.default_rng(1).normal(size=(30, 5)).astype(np.float32) * (1, 2, 3, 4, 5)
    found = np.linalg.eigvalsh(np.cov(some.T))
    assert effective_dimension(some.astype(np.float32)) == pytest.approx(found.sum() ** 2 / (found**2).sum(), rel=1e-5)


def test_fewer_rows_than_columns_give_the_same():
    some = np.random.default_rng(2).normal(size=(6, 40)).astype(np.float32)
    found = np.linalg.eigvalsh(np.cov(some.T))
    assert effective_dimension(some) == pytest.approx(found.sum() ** 2 / (found**2).sum(), rel=1e-5)


def test_equal_rows():
    assert find_first_equal(rows([1, 2], [3, 4], [1, 2], [0, 0], [-0.0, 0], [3, 4])).tolist() == [0, 1, 0, 3, 3, 1]


def test_near_rows_by_all_cosines():
    some = np.random.default_rng(3).normal(size=(2500, 3)).astype(np.float32)
    some[2400:] = some[:100]
    some /= np.linalg.norm(some, axis=1, keepdims=True)
    first = find_first_equal(some)
    alone = np.unique(first)
    cosines = some[alone] @ some[alone].T
    np.fill_diagonal(cosines, 0)
    expected = dict(zip(alone.tolist(), (cosines >= NEAR).any(axis=1).tolist(), strict=True))
    found = find_near(some, first)
    assert found.tolist() == [expected[each] for each in first.tolist()]
    assert 0 < found.mean() < 1
