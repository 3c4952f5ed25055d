"""What the base class does for every defense."""

import numpy as np
import pytest

from vestige.defenses.defense import ROWS_AT_ONCE, DefenseInfo, FixedMap
from vestige.errors import InputError, NotFitted


class Doubling(FixedMap):
    """A toy defense that records the shapes of its blocks. Guarantee: none."""

    info = DefenseInfo("doubling", "twice every number", needs="labels")

    def _fit(self, *_):
        self.shapes = []

    def _transform_block(self, vectors):
        self.shapes.append(vectors.shape)
        return 2 * vectors


def test_rows_are_transformed_in_blocks_of_one_shape():
    fitted = Doubling().fit(np.ones((1, 3)), ["a"])
    rows = np.arange(3.0 * (ROWS_AT_ONCE + 10), dtype=np.float32).reshape(-1, 3)
    np.testing.assert_array_equal(fitted.transform(rows, start=5), 2 * rows)
    assert fitted.shapes == [(ROWS_AT_ONCE, 3)] * 2
    assert fitted.transform(rows[:0]).shape == (0, 3)


def test_what_fit_requires_is_named():
    with pytest.raises(InputError, match="no vectors to fit a defense on"):
        Doubling().fit(np.ones((0, 3)), [])
    with pytest.raises(InputError, match="Doubling hides labels and was given none; give one label per vector"):
        Doubling().fit(np.ones((1, 3)))
    with pytest.raises(NotFitted, match=r"Doubling\.transform was called before fit"):
        Doubling().transform(np.ones((1, 3)))
