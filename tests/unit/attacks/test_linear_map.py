import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from vestige.attacks.linear_map import ridge_map


def _pairs(noise, seed=0, count=200, width=6):
    rng = np.random.default_rng(seed)
    inputs = rng.normal(size=(count, width)).astype(np.float32)
    outputs = inputs @ rng.normal(size=(width, 3)) + 2 + noise * rng.normal(size=(count, 3))
    return inputs, outputs.astype(np.float32), np.arange(0, count - 50), np.arange(count - 50, count)


def test_without_noise_it_is_least_squares():
    inputs, outputs, kept, held = _pairs(0.0)
    least = LinearRegression().fit(inputs[kept], outputs[kept])
    fitted = ridge_map(inputs, outputs, kept, held)
    assert fitted(inputs[held]) == pytest.approx(least.predict(inputs[held]), abs=1e-4)


def test_the_penalty_is_the_best_on_rows_it_was_not_fitted_to():
    inputs, outputs, kept, held = _pairs(5.0, count=70, width=40)
    least = LinearRegression().fit(inputs[kept], outputs[kept])
    ours = np.square(ridge_map(inputs, outputs, kept, held)(inputs[held]) - outputs[held]).sum()
    assert ours < 0.9 * np.square(least.predict(inputs[held]) - outputs[held]).sum()


def test_what_does_not_vary_is_no_trouble():
    inputs = np.ones((30, 3), np.float32)
    fitted = ridge_map(inputs, np.arange(30, dtype=np.float32)[:, None], np.arange(20), np.arange(20, 30))
    assert fitted(inputs[:1]) == pytest.approx(np.array([[9.5]]))
