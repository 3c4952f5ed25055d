"""Rows and queries under different secret maps: products stay, rows cannot be compared, and pairs reveal everything."""

import numpy as np
import pytest

from vestige.attacks.alignment.align import align_pairs
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError


def draw_rows(count, seed, columns=16):
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((count, columns)) * np.linspace(0.2, 2, columns) + 0.5
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


ROWS = draw_rows(600, 0)


@pytest.fixture(scope="module")
def fitted():
    return make_defense("asymmetric:24").fit(ROWS, rng=np.random.default_rng(1))


def test_a_query_ranks_rows_as_before(fitted):
    found = fitted.transform_queries(ROWS[:5]) @ fitted.transform(ROWS).T
    expected = ROWS[:5] @ (ROWS - ROWS.mean(axis=0)).T
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_rows_are_a_round_cloud_of_one_length(fitted):
    rows = fitted.transform(ROWS)
    assert rows.shape == (600, 40)
    lengths = np.linalg.norm(rows, axis=1)
    assert np.quantile(lengths, 0.95) < 1.2 * np.quantile(lengths, 0.05)
    values = np.linalg.eigvalsh(np.cov(rows.T))
    raw = np.linalg.eigvalsh(np.cov(ROWS.T))
    assert values[-1] / values[0] < 5 < raw[-1] / raw[1]


def test_two_rows_cannot_be_compared_but_queries_find_their_rows(fitted):
    rows, queries = fitted.transform(ROWS), fitted.transform_queries(ROWS)
    near = [np.argsort(-(asked @ rows.T), axis=1)[:, :10] for asked in (queries, rows)]
    true = np.argsort(-(ROWS @ ROWS.T), axis=1)[:, :10]
    recall = [np.mean([len(set(a) & set(b)) / 10 for a, b in zip(true, each, strict=True)]) for each in near]
    assert recall[0] > 0.95
    assert recall[1] < 0.5


def test_known_pairs_reveal_the_rows(fitted):
    """Positive control for the docstring: least squares from as many pairs as columns."""
    rows = fitted.transform(ROWS)
    with_one = np.column_stack([rows, np.ones(len(rows))])
    solved, *_ = np.linalg.lstsq(with_one[:60], ROWS[:60], rcond=None)
    np.testing.assert_allclose(with_one[60:] @ solved, ROWS[60:], atol=1e-2)
    assert np.abs(align_pairs((rows[:10], ROWS[:10]))(rows[60:]) - ROWS[60:]).mean() > 0.1


def test_a_bad_number_of_columns_is_refused():
    with pytest.raises(InputError, match="'noise'"):
        make_defense("asymmetric:0")
