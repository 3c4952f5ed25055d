"""Compact codes of vectors, with bytes computed by hand."""

import json

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.vector_codes import BitCode, ByteCode, check_codes, parse_code


def test_bits_are_packed_from_the_highest_on():
    code = BitCode(10)
    vectors = np.array([[1, -1, 0, 2, -3, -4, 5, 6, 7, -8]], np.float32)
    assert code.encode(vectors).tolist() == [[0b10010011, 0b10000000]]
    assert code.columns == 2
    expected = np.where(vectors > 0, 1, -1) / np.sqrt(10)
    np.testing.assert_allclose(code.decode(code.encode(vectors)), expected, rtol=1e-6)


def test_a_byte_counts_the_steps_above_the_low_end():
    code = ByteCode(2, np.array([-1.0, 0.0]), np.array([2 / 255, 0.0]))
    vectors = np.array([[-1, 0], [1, 0], [0.005, 9], [-7, 0], [7, 0]], np.float32)
    assert code.encode(vectors).tolist() == [[-128, -128], [127, -128], [0, -128], [-128, -128], [127, -128]]
    assert code.decode(np.array([[127, 5]], np.int8)).tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize(
    "code",
    [BitCode(13), ByteCode(13, np.full(13, -2.5), np.full(13, 0.02)), ByteCode(13, np.float64(-2), np.float64(0.1))],
)
def test_what_is_written_as_json_gives_the_same_numbers(code):
    vectors = np.random.default_rng(0).standard_normal((50, 13)).astype(np.float32)
    again = parse_code(code.to_json(), "here")
    assert again.decode(code.encode(vectors)).tobytes() == code.quantise(vectors).tobytes()
    check_codes(again, code.encode(vectors).dtype, code.encode(vectors).shape[1], "here")


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("not json", "describes no code of vectors"),
        ("[]", "describes no code of vectors"),
        ('{"code": "bits"}', "dimension"),
        ('{"code": "bits", "dimension": 0}', "0 dimensions"),
        ('{"code": "pq", "dimension": 8}', "unknown code 'pq'"),
        ('{"code": "int8", "dimension": 3, "low": [0, 0], "step": [1, 1]}', r"ranges of shapes \(2,\) and \(2,\)"),
        ('{"code": "int8", "dimension": 1, "low": 0, "step": NaN}', "not finite"),
        (json.dumps({"code": "int8", "dimension": 1, "low": 0, "step": -1}), "not finite"),
    ],
)
def test_a_damaged_description_is_refused(written, message):
    with pytest.raises(InputError, match=message):
        parse_code(written, "vectors.npy.code.json")


def test_a_description_of_other_codes_is_refused():
    with pytest.raises(InputError, match=r"holds 5 numbers of uint8 per vector; its code 'bits' describes 2 of uint8"):
        check_codes(BitCode(10), np.uint8, 5, "vectors.npy")
    with pytest.raises(InputError, match="holds 2 numbers of float32"):
        check_codes(BitCode(10), np.float32, 2, "vectors.npy")
