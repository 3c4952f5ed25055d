"""Fewer dimensions: the plane by hand, and how well they hide a word."""

import numpy as np
import pytest

from tests.unit.defenses.adaptive import leak
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError


def test_pca_is_the_plane_of_largest_spread():
    vectors = np.float32([[2, 0, 5], [-2, 0, 5], [0, 1, 5], [0, -1, 5]])
    found = make_defense("pca:2").fit(vectors).transform(vectors)
    np.testing.assert_allclose(np.abs(found), [[2, 0], [2, 0], [0, 1], [0, 1]], atol=1e-6)
    with pytest.raises(InputError, match="at least 1 and at most 3"):
        make_defense("pca:4").fit(vectors)


def test_singular_directions_are_taken_from_the_origin():
    """Most of the length is along the third axis, which principal components drop since nothing varies there."""
    vectors = np.float32([[2, 0, 5], [-2, 0, 5], [0, 1, 5], [0, -1, 5]])
    found = make_defense("svd:2").fit(vectors).transform(vectors)
    np.testing.assert_allclose(np.abs(found), [[5, 2], [5, 2], [5, 0], [5, 0]], atol=1e-5)


def test_a_random_projection_is_a_product_with_numbers_of_variance_one_over_the_dimension():
    vectors = np.eye(400, dtype=np.float32)
    matrix = make_defense("projection:100").fit(vectors, rng=np.random.default_rng(0)).transform(vectors)
    assert matrix.shape == (400, 100)
    assert matrix.mean() == pytest.approx(0, abs=0.002)
    assert matrix.var() == pytest.approx(1 / 100, rel=0.03)


def test_an_autoencoder_learns_to_reproduce_a_line():
    """All vectors are on one line, so one hidden unit suffices: its output is monotone along the line."""
    along = np.linspace(-1, 1, 200, dtype=np.float32)
    code = make_defense("autoencoder:1,epochs=200,rate=0.01").fit(
        np.outer(along, [3, -4]), rng=np.random.default_rng(0)
    )
    values = code.transform(np.outer(along, [3, -4]))[:, 0]
    assert abs(np.corrcoef(values, along)[0, 1]) > 0.99


@pytest.mark.parametrize(
    ("spec", "low", "high"),
    [("projection:4", 0.6, 0.85), ("pca:1", 0.6, 0.85), ("autoencoder:4,epochs=10", 0.6, 0.95)],
)
def test_few_dimensions_hide_a_word_in_part(spec, low, high, keyword_case):
    assert low < leak(spec, keyword_case) < high


def test_a_quarter_of_the_dimensions_hides_nothing(keyword_case):
    assert leak("pca:16", keyword_case) > 0.97


def test_truncation_keeps_the_first_columns():
    vectors = np.arange(12, dtype=np.float32).reshape(3, 4)
    truncation = make_defense("truncation:2").fit(vectors, rng=np.random.default_rng(0))
    assert truncation.transform(vectors).tolist() == [[0, 1], [4, 5], [8, 9]]
    with pytest.raises(InputError, match="'dimension' parameter must be"):
        make_defense("truncation:5").fit(vectors, rng=np.random.default_rng(0))
