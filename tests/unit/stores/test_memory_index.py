"""An index in memory: cosines by hand, and what each precision keeps of a vector."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.stores.memory_index import FORMS, MemoryIndex, as_binary, as_float16, as_int8


def test_forms_by_hand():
    row = np.array([[1.27, -0.634, 0.0, 0.004]], np.float32)
    assert as_int8(row)[0].tolist() == pytest.approx([1.27, -0.63, 0.0, 0.0])
    assert as_binary(row)[0].tolist() == [1, -1, -1, 1]
    assert as_float16(np.array([[1 / 3]], np.float32))[0, 0] == pytest.approx(0.333251953125, abs=1e-12)
    assert (as_int8(np.zeros((1, 3), np.float32)) == 0).all()


def test_cosines_best_first_by_hand():
    index = MemoryIndex(np.array([[2.0, 0.0], [0.0, 1.0], [3.0, 4.0]], np.float32))
    found = index.search(np.array([[10.0, 0.0], [0.0, -1.0]], np.float32), 2)
    assert found.tolist() == [pytest.approx([1.0, 0.6]), pytest.approx([0.0, -0.8])]
    assert (len(index), index.searches) == (3, 2)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_equals_a_plain_product(form):
    rng = np.random.default_rng(0)
    vectors, queries = (rng.standard_normal((count, 16)).astype(np.float32) for count in (40, 300))
    kept = FORMS[form](vectors).astype(np.float64)
    cosines = queries @ kept.T / np.linalg.norm(queries, axis=1)[:, None] / np.linalg.norm(kept, axis=1)
    expected = -np.sort(-cosines, axis=1)[:, :3]
    assert MemoryIndex(vectors, form=form).search(queries, 3) == pytest.approx(expected, abs=1e-5)


def test_invalid_searches_are_refused():
    vectors = np.eye(3, dtype=np.float32)
    with pytest.raises(InputError, match="unknown form 'int4'; did you mean 'int8'"):
        MemoryIndex(vectors, form="int4")
    with pytest.raises(InputError, match="the 4 nearest of 3 stored vectors"):
        MemoryIndex(vectors).search(vectors, 4)
    with pytest.raises(InputError, match="expected rows and columns"):
        MemoryIndex(vectors[0])
