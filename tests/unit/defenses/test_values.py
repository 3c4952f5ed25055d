"""Values computed by hand, or by an independent library."""

import numpy as np
import pytest

from vestige.defenses.calibration import gaussian_sigma, spent_delta
from vestige.defenses.catalogue import make_defense
from vestige.defenses.concepts import as_concepts, members
from vestige.defenses.laplace import Laplace
from vestige.defenses.sensitivity import estimated_sensitivity
from vestige.defenses.subspace import SubspaceProjection
from vestige.errors import InputError, MissingExtra


def test_rounding():
    given = [[0.125, -0.04, 1.26], [0.15, -0.06, -2.5]]
    np.testing.assert_array_equal(
        make_defense("rounding:1").fit(given).transform(given), np.float32([[0.1, 0, 1.3], [0.2, -0.1, -2.5]])
    )
    zeros = make_defense("rounding:0").fit(given).transform([[0.2, -0.2, 0.4]])
    assert not np.signbit(zeros).any(), "a negative zero would tell the sign"


def test_a_byte_a_number():
    """Column 0 runs from 0 to 255, a step of 1; column 1 from -1 to 1, a step of 2 / 255; column 2 never changes."""
    given = np.float32([[0, -1, 7], [255, 1, 7]])
    fitted = make_defense("int8").fit(given)
    found = fitted.transform([[100.4, 0, 7], [100.6, -0.004, 8], [300, -2, 6]])
    expected = [[100, -1 + 128 * 2 / 255, 7], [101, -1 + 127 * 2 / 255, 7], [255, -1, 7]]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_one_range_for_all_numbers_without_the_outermost():
    """Of 0 ... 1000 the middle 98 % runs from 10 to 990, a step of 980 / 255."""
    given = np.arange(1001, dtype=np.float32).reshape(-1, 7)
    fitted = make_defense("int8:ranges=all,quantile=0.98").fit(given)
    assert float(fitted.low_) == pytest.approx(10)
    assert float(fitted.step_) == pytest.approx(980 / 255)
    assert fitted.transform(given)[[0, -1], [0, -1]].tolist() == pytest.approx([10, 990])


def test_a_bit_a_number():
    given = np.float32([[0.3, -0.2, 0, 5]])
    found = make_defense("binary").fit(given).transform(given)
    np.testing.assert_array_equal(found, np.float32([[0.5, -0.5, -0.5, 0.5]]))


def test_product_quantisation_is_that_of_faiss(toy_pairs):
    faiss = pytest.importorskip("faiss")
    vectors = toy_pairs[0]
    fitted = make_defense("pq:16,bits=5").fit(vectors, rng=np.random.default_rng(0))
    quantiser = faiss.ProductQuantizer(64, 16, 5)
    faiss.copy_array_to_vector(fitted.centroids_.ravel(), quantiser.centroids)
    np.testing.assert_array_equal(fitted.transform(vectors), quantiser.decode(quantiser.compute_codes(vectors)))


def test_product_quantisation_asks_for_what_it_needs(toy_pairs, monkeypatch):
    vectors = toy_pairs[0]
    with pytest.raises(InputError, match="The 'parts' parameter must divide 64 columns"):
        make_defense("pq:7").fit(vectors)
    with pytest.raises(InputError, match="100 vectors are too few for 256 centroids"):
        make_defense("pq:8").fit(vectors[:100])
    for library in ("faiss", "concept_erasure"):
        monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(MissingExtra, match=r"pip install 'vestige\[faiss\]'"):
        make_defense("pq:8").fit(vectors)
    with pytest.raises(MissingExtra, match=r"pip install 'vestige\[leace\]'"):
        make_defense("leace").fit(vectors, np.arange(len(vectors)) % 2)


def test_sensitivity_is_the_largest_or_the_mean_distance():
    original, changed = [[0, 0], [1, 1], [2, 2]], [[1, -2], [1, 1], [2, 5]]
    assert estimated_sensitivity(original, changed) == 3
    assert estimated_sensitivity(original, changed, estimate="mean") == 2
    with pytest.raises(InputError, match="none of 2 changes moved its vector"):
        estimated_sensitivity([[1.0], [2.0]], [[1.0], [2.0]])
    with pytest.raises(InputError, match=r"shape \(1, 1\), the changed ones \(2, 1\)"):
        estimated_sensitivity([[1.0]], [[1.0], [2.0]])
    with pytest.raises(InputError, match="The 'estimate' parameter must be 'largest' or 'mean'"):
        estimated_sensitivity(original, changed, estimate="median")


def test_laplace_takes_its_scale_from_pairs_or_from_a_setting():
    pairs = ([[0, 0], [1, 1], [2, 2]], [[1, -2], [1, 1], [2, 5]])
    assert float(Laplace(epsilon=2).fit([[0, 0]], pairs=pairs).scale_) == 1.5
    assert float(Laplace(epsilon=2, estimate="mean").fit([[0, 0]], pairs=pairs).scale_) == 1
    assert float(Laplace(epsilon=2, sensitivity=8).fit([[0, 0]], pairs=pairs).scale_) == 4
    with pytest.raises(InputError, match="the vectors have 2 columns, and fit was given 3"):
        Laplace().fit([[0, 0, 0]], pairs=pairs)
    with pytest.raises(InputError, match="set 'sensitivity', or give pairs="):
        Laplace().fit([[0, 0]])


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
def test_gaussian_calibration(epsilon, delta, sigma):
    """Against the formula at sixty digits, by mpmath."""
    assert gaussian_sigma(epsilon, delta, 1) == pytest.approx(sigma, rel=1e-12)
    assert gaussian_sigma(epsilon, delta, 3) == pytest.approx(3 * sigma, rel=1e-12)
    assert spent_delta(epsilon, sigma) == pytest.approx(delta, rel=1e-6)


def test_the_analytic_calibration_asks_for_less_noise_than_the_classic_one():
    assert gaussian_sigma(1, 1e-5, 1) < 0.8 * np.sqrt(2 * np.log(1.25 / 1e-5))


def test_the_gaussian_mechanism_clips_to_its_norm():
    """With hardly any noise: (3, 4) has length 5; what is shorter than the norm stays."""
    fitted = make_defense("gaussian:1e12,norm=2").fit([[3, 4]], rng=np.random.default_rng(0))
    np.testing.assert_allclose(
        fitted.transform([[3, 4], [0.3, 0.4], [0, 0]]), [[1.2, 1.6], [0.3, 0.4], [0, 0]], atol=1e-4
    )
    exact = make_defense("gaussian:1,norm=2").fit([[3, 4]])
    assert float(exact.scale_) == pytest.approx(4 * 3.7306316348159418)


def test_the_directions_of_a_small_case():
    """Class means are (-1, 0, 0) and (1, 0, 0); around them the points spread along the second axis most."""
    vectors = np.float32([[-1, 3, 1], [-1, -3, -1], [1, 3, -1], [1, -3, 1]])
    labels = ["a", "a", "b", "b"]
    between = SubspaceProjection().fit(vectors, labels)
    np.testing.assert_allclose(np.abs(between.directions_), [[1, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(between.transform(vectors), vectors * [0, 1, 1], atol=1e-6)
    within = SubspaceProjection(scatter="within", share=1 / 3).fit(vectors, labels)
    np.testing.assert_allclose(np.abs(within.directions_), [[0, 1, 0]], atol=1e-12)
    unit = SubspaceProjection(normalise=True).fit(vectors, labels).transform(vectors)
    np.testing.assert_allclose(unit[0], np.float32([0, 3, 1]) / np.sqrt(10), atol=1e-6)


def test_concepts_are_classes_or_flags():
    assert as_concepts(["b", "a", "b"], 3).tolist() == [[1], [0], [1]]
    flags = as_concepts([[True, False], [False, False], [True, True]], 3)
    assert flags.tolist() == [[1, 0], [0, 0], [1, 1]]
    assert members(flags).tolist() == [[0, 1, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1]]
    for labels, message in (
        (["a"], r"3 vectors but labels of shape \(1,\)"),
        (["a", "a", "a"], "one class; there is nothing to hide"),
        (["a", None, "b"], "some labels are missing"),
        ([1.0, np.nan, 2.0], "some labels are missing"),
    ):
        with pytest.raises(InputError, match=message):
            as_concepts(labels, 3)


def test_pca_is_the_plane_that_holds_most_spread():
    vectors = np.float32([[2, 0, 5], [-2, 0, 5], [0, 1, 5], [0, -1, 5]])
    found = make_defense("pca:2").fit(vectors).transform(vectors)
    np.testing.assert_allclose(np.abs(found), [[2, 0], [2, 0], [0, 1], [0, 1]], atol=1e-6)
    with pytest.raises(InputError, match="at least 1 and at most 3"):
        make_defense("pca:4").fit(vectors)


def test_leace_is_the_least_change_in_closed_form():
    pytest.importorskip("concept_erasure")
    rng = np.random.default_rng(4)
    labels = np.arange(40) % 2
    vectors = rng.standard_normal((40, 8)) @ rng.standard_normal((8, 8)) + np.outer(labels, rng.standard_normal(8))
    away = vectors - vectors.mean(axis=0)
    related = away.T @ (labels - labels.mean())
    across = np.linalg.solve(away.T @ away, related)
    wanted = vectors - np.outer(away @ across, related) / (related @ across)
    found = make_defense("leace").fit(vectors.astype(np.float32), labels).transform(vectors.astype(np.float32))
    np.testing.assert_allclose(found, wanted, atol=1e-4)
