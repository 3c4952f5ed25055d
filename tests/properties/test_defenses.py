"""Properties of defenses that hold whatever the vectors."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import gamma, kstest, laplace, norm

from vestige.defenses.catalogue import DEFENSES, make_defense
from vestige.defenses.gaussian import gaussian_sigma, spent_delta
from vestige.defenses.metric_privacy import draw_cosines
from vestige.defenses.streams import open_streams

SURE = 1e-3
"""A test of a true law fails this rarely; seeds are fixed."""


def drawn(rows=200, columns=12, seed=0):
    return np.random.default_rng(seed).standard_normal((rows, columns)).astype(np.float32)


def fit(spec, vectors, labels=None, seed=0):
    needed = DEFENSES[spec.partition(":")[0]].needs
    if needed:
        pytest.importorskip(needed)
    return make_defense(spec).fit(vectors, labels, rng=np.random.default_rng(seed))


@pytest.mark.parametrize(
    "spec",
    ["rounding:1", "int8", "int8:ranges=all,quantile=0.9", "binary", "pq:4,bits=3", "leace", "subspace",
     "subspace:0.2,scatter=within", "subspace:norm=true"],
)  # fmt: skip
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_projection_or_quantisation_is_idempotent(spec, seed):
    """A second pass changes nothing."""
    vectors = drawn(seed=seed)
    fitted = fit(spec, vectors, np.arange(len(vectors)) % 3, seed)
    once = fitted.transform(vectors)
    np.testing.assert_allclose(fitted.transform(once), once, atol=2e-6)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_random_projection_keeps_distances_within_its_bound(seed):
    """Johnson and Lindenstrauss: for 40 vectors, 3 / 10 more or less, with a margin that makes failing improbable."""
    vectors, off = drawn(40, 300, seed), 0.3
    dimension = int(np.ceil(2 * 4 * np.log(len(vectors)) / (off**2 / 2 - off**3 / 3)))
    found = fit(f"projection:{dimension}", vectors, seed=seed).transform(vectors)
    first, second = np.triu_indices(len(vectors), 1)
    ratio = ((found[first] - found[second]) ** 2).sum(axis=1) / ((vectors[first] - vectors[second]) ** 2).sum(axis=1)
    assert ratio.min() > 1 - off
    assert ratio.max() < 1 + off


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_rotation_keeps_every_product(seed):
    vectors = drawn(seed=seed)
    turned = fit("rotation", vectors, seed=seed).transform(vectors)
    np.testing.assert_allclose(turned @ turned.T, vectors @ vectors.T, atol=1e-4)


def test_laplace_noise_has_its_law():
    vectors = drawn(400)
    noise = fit("laplace:2,sens=6", vectors).transform(vectors).astype(np.float64) - vectors
    assert kstest(noise.ravel(), laplace(scale=3).cdf).pvalue > SURE
    assert kstest(noise.ravel(), laplace(scale=3.5).cdf).pvalue < SURE, "the test can detect another scale"


def test_gaussian_noise_has_its_law():
    vectors = drawn(400) / 100
    noise = fit("gaussian:4,delta=1e-3", vectors).transform(vectors).astype(np.float64) - vectors
    sigma = gaussian_sigma(4, 1e-3, 2)
    assert kstest(noise.ravel(), norm(scale=sigma).cdf).pvalue > SURE
    assert kstest(noise.ravel(), norm(scale=1.2 * sigma).cdf).pvalue < SURE


def test_the_metric_mechanism_draws_a_length_and_a_direction(monkeypatch):
    """Before it is scaled to unit length again: a gamma length, and a uniform direction on the sphere."""
    monkeypatch.setattr("vestige.defenses.metric_privacy.normalise_rows", _unit_but_for_long_ones)
    vectors = drawn(3000, 3)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    noise = fit("metric:0.01", vectors).transform(vectors).astype(np.float64) - vectors
    lengths = np.linalg.norm(noise, axis=1)
    assert kstest(lengths, gamma(3, scale=100).cdf).pvalue > SURE
    assert kstest(lengths, gamma(3, scale=110).cdf).pvalue < SURE
    assert kstest(noise[:, 0] / lengths, lambda x: (x + 1) / 2).pvalue > SURE, "Archimedes: even in three dimensions"


def _unit_but_for_long_ones(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(lengths > 5, vectors, vectors / lengths)


@pytest.mark.parametrize(("concentration", "dimension"), [(0.5, 3), (20.0, 3), (5.0, 24), (300.0, 64)])
def test_the_cosine_of_von_mises_and_fisher_has_its_law(concentration, dimension):
    streams = open_streams(np.arange(4, dtype=np.uint64), np.zeros((1500, 2), np.float32), 0)
    cosines = draw_cosines(concentration, dimension, streams)

    def density(cosine):
        return np.exp(concentration * (cosine - 1)) * (1 - cosine**2) ** ((dimension - 3) / 2)

    grid = np.linspace(-1, 1, 4001)
    mass = np.concatenate([[0], np.cumsum([quad(density, a, b)[0] for a, b in pairwise(grid)])])
    assert kstest(cosines, lambda x: np.interp(x, grid, mass / mass[-1])).pvalue > SURE


def test_von_mises_and_fisher_draw_around_the_vector():
    vectors = np.tile(np.float32([0, 3, 4]), (2000, 1))
    found = fit("vmf:20", vectors).transform(vectors)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    mean = found.mean(axis=0)
    np.testing.assert_allclose(mean / np.linalg.norm(mean), [0, 0.6, 0.8], atol=0.02)
    assert np.linalg.norm(mean) == pytest.approx(1 / np.tanh(20) - 1 / 20, abs=0.01), "coth(k) - 1 / k in 3 dimensions"


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), classes=st.integers(2, 4))
def test_leace_leaves_no_linear_signal(seed, classes):
    vectors, labels = drawn(seed=seed), np.arange(200) % classes
    vectors[:, 0] += labels
    signal = np.abs(np.cov(vectors.T, labels)[-1, :-1]).max()
    erased = fit("leace", vectors, labels, seed).transform(vectors)
    one_hot = np.eye(classes)[labels]
    left = (erased - erased.mean(axis=0)).T @ (one_hot - one_hot.mean(axis=0)) / len(vectors)
    assert signal > 0.1
    assert np.abs(left).max() < 1e-6


def test_leace_erases_a_rare_class_too():
    vectors = drawn(5000, 8)
    rare = np.arange(5000) < 3
    vectors[rare] += 1
    erased = fit("leace", vectors, rare).transform(vectors)
    np.testing.assert_allclose(erased[rare].mean(axis=0), erased[~rare].mean(axis=0), atol=1e-4)


@settings(max_examples=30, deadline=None)
@given(epsilon=st.floats(0.01, 500), exponent=st.floats(-12, -0.5))
def test_calibrated_noise_spends_delta_and_no_more(epsilon, exponent):
    delta = 10.0**exponent
    sigma = gaussian_sigma(epsilon, delta, 1)
    assert spent_delta(epsilon, sigma) == pytest.approx(delta, rel=1e-3)
    assert spent_delta(epsilon, 1.01 * sigma) < delta < spent_delta(epsilon, 0.99 * sigma)


@pytest.mark.parametrize("spec", ["int8", "int8:ranges=all"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_byte_is_never_off_by_more_than_half_a_step(spec, seed):
    vectors = drawn(seed=seed)
    fitted = fit(spec, vectors)
    assert (np.abs(fitted.transform(vectors) - vectors) <= fitted.step_ / 2 + 1e-6).all()
