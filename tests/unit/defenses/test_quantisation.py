"""Values computed by hand, or by faiss; and how well the quantised vectors hide a word."""

import numpy as np
import pytest

from tests.unit.defenses.adaptive import leak
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError, MissingExtra


def test_rounding():
    given = [[0.125, -0.04, 1.26], [0.15, -0.06, -2.5]]
    np.testing.assert_array_equal(
        make_defense("rounding:1").fit(given).transform(given), np.float32([[0.1, 0, 1.3], [0.2, -0.1, -2.5]])
    )
    zeros = make_defense("rounding:0").fit(given).transform([[0.2, -0.2, 0.4]])
    assert not np.signbit(zeros).any(), "a negative zero would reveal the sign"


def test_one_byte_per_number():
    """Column 0 runs from 0 to 255, a step of 1; column 1 from -1 to 1, a step of 2 / 255; column 2 never changes."""
    given = np.float32([[0, -1, 7], [255, 1, 7]])
    fitted = make_defense("int8").fit(given)
    found = fitted.transform([[100.4, 0, 7], [100.6, -0.004, 8], [300, -2, 6]])
    expected = [[100, -1 + 128 * 2 / 255, 7], [101, -1 + 127 * 2 / 255, 7], [255, -1, 7]]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_one_range_for_all_numbers_without_the_extremes():
    """Of 0 ... 1000 the middle 98 % runs from 10 to 990, a step of 980 / 255."""
    given = np.arange(1001, dtype=np.float32).reshape(-1, 7)
    fitted = make_defense("int8:ranges=all,quantile=0.98").fit(given)
    assert float(fitted.low_) == pytest.approx(10)
    assert float(fitted.step_) == pytest.approx(980 / 255)
    assert fitted.transform(given)[[0, -1], [0, -1]].tolist() == pytest.approx([10, 990])


def test_one_bit_per_number():
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


def test_product_quantisation_names_what_is_missing(toy_pairs, monkeypatch):
    vectors = toy_pairs[0]
    with pytest.raises(InputError, match="The 'parts' parameter must divide 64 columns"):
        make_defense("pq:7").fit(vectors)
    with pytest.raises(InputError, match="100 vectors are too few for 256 centroids"):
        make_defense("pq:8").fit(vectors[:100])
    monkeypatch.setitem(__import__("sys").modules, "faiss", None)
    with pytest.raises(MissingExtra, match=r"pip install '(\.|vestige)\[faiss\]'"):
        make_defense("pq:8").fit(vectors)


@pytest.mark.parametrize(
    ("spec", "low", "high"),
    [("rounding:0", 0.45, 0.55), ("binary", 0.9, 0.97), ("pq:2,bits=2", 0.6, 0.9)],
)
def test_coarse_numbers_hide_a_word(spec, low, high, keyword_case):
    assert low < leak(spec, keyword_case) < high


@pytest.mark.parametrize("spec", ["rounding:1", "int8"])
def test_fine_numbers_hide_nothing(spec, keyword_case):
    assert leak(spec, keyword_case) > 0.97


def test_half_precision_keeps_eleven_bits_and_never_overflows():
    vectors = np.array([[1 / 3, 1 + 2**-11, 1e6], [1 / 3, 1 + 2**-10, -1e6]], np.float32)
    found = make_defense("float16").fit(vectors, rng=np.random.default_rng(0)).transform(vectors)
    assert found.tolist() == [[0.333251953125, 1.0, 65504.0], [0.333251953125, 1.0009765625, -65504.0]]
