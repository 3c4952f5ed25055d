"""The calibration against the formula at sixty digits, and the noise that it gives."""

import numpy as np
import pytest

from tests.unit.defenses.adaptive import leak
from vestige.defenses.catalogue import make_defense
from vestige.defenses.gaussian import GaussianMechanism, gaussian_sigma, spent_delta


@pytest.mark.parametrize(
    ("epsilon", "delta", "sigma"),
    [
        (1, 1e-5, 3.7306316348159418),
        (0.1, 1e-6, 36.304690426195785),
        (0.5, 1e-2, 3.1469130986066803),
        (10, 1e-5, 0.49988861970900851),
        (100, 1e-5, 0.094669907014746388),
        (1000, 1e-9, 0.025546327262734134),
    ],
)
def test_calibration(epsilon, delta, sigma):
    """Against the formula at sixty digits, by mpmath."""
    assert gaussian_sigma(epsilon, delta, 1) == pytest.approx(sigma, rel=1e-12)
    assert gaussian_sigma(epsilon, delta, 3) == pytest.approx(3 * sigma, rel=1e-12)
    assert spent_delta(epsilon, sigma) == pytest.approx(delta, rel=1e-6)


def test_the_analytic_calibration_requires_less_noise_than_the_classic_one():
    assert gaussian_sigma(1, 1e-5, 1) < 0.8 * np.sqrt(2 * np.log(1.25 / 1e-5))


def test_the_mechanism_clips_to_its_norm():
    """With hardly any noise: (3, 4) has length 5; a vector shorter than the norm stays."""
    fitted = make_defense("gaussian:1e12,norm=2").fit([[3, 4]], rng=np.random.default_rng(0))
    np.testing.assert_allclose(
        fitted.transform([[3, 4], [0.3, 0.4], [0, 0]]), [[1.2, 1.6], [0.3, 0.4], [0, 0]], atol=1e-4
    )
    exact = make_defense("gaussian:1,norm=2").fit([[3, 4]])
    assert float(exact.scale_) == pytest.approx(4 * 3.7306316348159418)


def test_a_small_epsilon_hides_a_word(keyword_case):
    assert 0.45 < leak("gaussian:1", keyword_case) < 0.57


def test_a_defense_shows_its_settings():
    assert repr(GaussianMechanism(epsilon=8)) == "GaussianMechanism(epsilon=8)"
