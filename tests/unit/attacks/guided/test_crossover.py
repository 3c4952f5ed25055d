"""Spans of one text in the place of another's."""

import numpy as np

from vestige.attacks.guided.crossover import cross, rank_children
from vestige.attacks.guided.lexicon import Palette


def test_a_child_has_one_span_of_the_other_text():
    assert list(cross((1, 2, 3, 4), (1, 5, 6, 3, 7))) == [(1, 5, 6, 3, 4), (1, 2, 3, 7)]
    assert list(cross((1, 2), (1, 2))) == []


def test_children_are_ranked_by_the_effects_of_their_words():
    """Effects are unit vectors, so that the text (1, 2) of vector (1, 1) has the base (1, 1) - (1, 1) / sqrt 2."""
    effects = np.vstack([np.zeros(3), np.eye(3)]).astype(np.float32)
    palette = Palette(np.arange(4), effects, np.zeros((4, 4)))
    vector, target = np.array([1, 1, 0], np.float32), np.array([1, 0, 1], np.float32)
    ranked = rank_children((1, 2), vector, target, [(1, 3), (2,)], palette, 0.0)
    assert [child for _, child in ranked] == [(1, 3), (2,)]
    base = 1 - 1 / np.sqrt(2)
    moved = np.array([base + 1 / np.sqrt(2), base, 1 / np.sqrt(2)])
    assert np.isclose(ranked[0][0], moved @ target / np.linalg.norm(moved))
