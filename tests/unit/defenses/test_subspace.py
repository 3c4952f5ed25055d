"""The directions of a small case by hand, and how well their removal hides a word."""

import numpy as np

from tests.unit.defenses.adaptive import defend, leak, linear_auc
from vestige.defenses.subspace import SubspaceProjection


def test_the_directions_of_a_small_case():
    """Class means are (-1, 0, 0) and (1, 0, 0); around them the points spread most along the second axis."""
    vectors = np.float32([[-1, 3, 1], [-1, -3, -1], [1, 3, -1], [1, -3, 1]])
    labels = ["a", "a", "b", "b"]
    between = SubspaceProjection().fit(vectors, labels)
    np.testing.assert_allclose(np.abs(between.directions_), [[1, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(between.transform(vectors), vectors * [0, 1, 1], atol=1e-6)
    within = SubspaceProjection(scatter="within", share=1 / 3).fit(vectors, labels)
    np.testing.assert_allclose(np.abs(within.directions_), [[0, 1, 0]], atol=1e-12)
    unit = SubspaceProjection(normalise=True).fit(vectors, labels).transform(vectors)
    np.testing.assert_allclose(unit[0], np.float32([0, 3, 1]) / np.sqrt(10), atol=1e-6)


def test_removing_the_directions_between_classes_hides_a_word(keyword_case):
    assert 0.45 < leak("subspace", keyword_case) < 0.55


def test_the_scatter_as_published_hides_a_word_only_by_chance(keyword_case):
    """The word is not in the directions of largest spread: more is removed than between the classes, yet it leaks."""
    vectors, labels = keyword_case
    between = defend("subspace", vectors, labels)
    within = defend("subspace:0.1,scatter=within,norm=true", vectors, labels)
    assert np.linalg.norm(within - vectors, axis=1).mean() > 2 * np.linalg.norm(between - vectors, axis=1).mean()
    assert linear_auc(within, labels) > 0.95 > linear_auc(between, labels) + 0.3
