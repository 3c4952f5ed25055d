"""Draws around unit vectors: their lengths, the rows they refuse, and how well they hide a word."""

import numpy as np
import pytest

from tests.unit.defenses.adaptive import leak
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError, UnusableRows


@pytest.mark.parametrize("spec", ["metric:20", "vmf:20"])
def test_the_result_has_unit_length_whatever_the_length_of_the_vector(spec):
    vectors = np.float32([[0, 3, 4], [0, 0.3, 0.4]])
    defended = make_defense(spec).fit(vectors, rng=np.random.default_rng(0)).transform(vectors)
    np.testing.assert_allclose(np.linalg.norm(defended, axis=1), 1, atol=1e-6)


def test_at_the_same_epsilon_the_metric_mechanism_stays_nearer_to_the_vector():
    vectors = np.tile(np.float32([0, 0.6, 0.8, 0, 0, 0, 0, 0]), (500, 1))
    cosines = {
        name: (make_defense(f"{name}:30").fit(vectors, rng=np.random.default_rng(0)).transform(vectors) @ vectors[0])
        for name in ("metric", "vmf")
    }
    assert cosines["metric"].mean() > cosines["vmf"].mean() > 0.5


def test_vectors_without_a_direction_are_refused():
    fitted = make_defense("vmf:20").fit([[1.0, 2.0]])
    with pytest.raises(UnusableRows, match="the vector in row 8 is all zeros"):
        fitted.transform([[1.0, 2.0], [0.0, 0.0]], start=7)
    with pytest.raises(UnusableRows, match="vectors of one column have no direction"):
        make_defense("vmf:20").fit([[1.0]]).transform([[1.0]])


@pytest.mark.parametrize("name", ["metric", "vmf"])
def test_a_small_epsilon_hides_a_word_and_a_large_one_does_not(name, keyword_case):
    assert 0.45 < leak(f"{name}:10", keyword_case) < 0.7
    assert leak(f"{name}:500", keyword_case) > 0.97


@pytest.mark.parametrize("spec", ["vmf:1e300", "metric:1e300", "vmf:inf", "projection:99999999999", "gaussian:"])
def test_settings_that_could_never_end_are_refused(spec):
    with pytest.raises(InputError):
        make_defense(spec)
