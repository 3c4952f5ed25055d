"""Linear scorers of words, their closed parts against scikit-learn."""

import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf

from vestige.attacks.linear_words import whitening_matrix


@pytest.mark.parametrize("rows", [50, 79, 200])
def test_whitening_inverts_the_shrunk_covariance_with_few_rows_and_many(rows):
    rng = np.random.default_rng(0)
    vectors = (rng.normal(size=(rows, 80)) @ rng.normal(size=(80, 80))).astype(np.float32)
    centred = vectors - vectors.mean(axis=0)
    whitening = whitening_matrix(centred).astype(np.float64)
    covariance, _ = ledoit_wolf(centred.astype(np.float64), assume_centered=True)
    assert whitening @ whitening.T @ covariance == pytest.approx(np.eye(80), abs=1e-4)
