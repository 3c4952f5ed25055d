"""Labels as class numbers, and how small cases vary by class."""

import numpy as np
import pytest

from vestige.defenses.concepts import as_concepts, between_class_directions, class_indicators, within_class_scatter
from vestige.errors import InputError


def test_concepts_are_classes_or_flags():
    assert as_concepts(["b", "a", "b"], 3).tolist() == [[1], [0], [1]]
    flags = as_concepts([[True, False], [False, False], [True, True]], 3)
    assert flags.tolist() == [[1, 0], [0, 0], [1, 1]]
    assert class_indicators(flags).tolist() == [[0, 1, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1]]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a"], r"3 vectors but labels of shape \(1,\)"),
        (["a", "a", "a"], "one class; there is nothing to hide"),
        (["a", None, "b"], "some labels are missing"),
        ([1.0, np.nan, 2.0], "some labels are missing"),
    ],
)
def test_labels_that_cannot_be_hidden_are_refused(labels, message):
    with pytest.raises(InputError, match=message):
        as_concepts(labels, 3)


def test_scatter_by_hand():
    """Class means (-1, 0) and (1, 0); around them the covariances diag(0, 9) and diag(0, 1)."""
    vectors = np.float32([[-1, 3], [-1, -3], [1, 1], [1, -1]])
    concepts = as_concepts(["a", "a", "b", "b"], 4)
    np.testing.assert_allclose(np.abs(between_class_directions(vectors, concepts)), [[1, 0]], atol=1e-12)
    np.testing.assert_allclose(within_class_scatter(vectors, concepts), [[0, 0], [0, 10]], atol=1e-6)
