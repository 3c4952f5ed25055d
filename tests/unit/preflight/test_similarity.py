import numpy as np
import pytest

from vestige.preflight.similarity import compare_vectors, normalize, use_signs


def rows(*given):
    return np.array(given, dtype=np.float32)


def test_cosines_after_conversion_to_the_stored_form():
    made, stored = rows([3, 4], [1, 0]), rows([4, 3], [1, 0])
    plain = compare_vectors(made, stored, "float32")
    assert plain.cosines.tolist() == pytest.approx([0.96, 1])
    assert plain.same.tolist() == [False, True]
    bits = compare_vectors(rows([3, -4], [1, 2]), rows([1, 0], [1, 0]), "binary")
    assert bits.cosines.tolist() == pytest.approx([1, 0])
    first = compare_vectors(rows([3, 4, 9], [1, 0, 9]), stored, "float32")
    assert first.cosines.tolist() == pytest.approx([0.96, 1]), "over the first dimensions only"


def test_most_rows_decide_whether_vectors_match():
    half = compare_vectors(rows([3, 4], [1, 0]), rows([4, 3], [1, 0]), "float32")
    assert not half.matches
    assert half.median == pytest.approx(0.98)
    assert compare_vectors(rows([1, 0], [0, 2]), rows([2, 0], [0, 1]), "float32").matches


def test_bits_become_signs_and_zeros_stay_zero():
    assert use_signs(rows([0, 1]), "binary").tolist() == [[-1, 1]]
    assert use_signs(rows([0, 1]), "float32").tolist() == [[0, 1]]
    assert normalize(rows([3, 4], [0, 0])).tolist() == [pytest.approx([0.6, 0.8]), [0, 0]]
