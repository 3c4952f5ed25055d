"""Records of findings, and examples that nobody picked."""

import numpy as np

from vestige.case.findings import rank_examples


def test_examples_are_at_fixed_places_of_the_ranking():
    scores = np.arange(101)[::-1] / 100
    assert list(rank_examples(scores)) == [
        ("at the 95th percentile", 5),
        ("at the 75th percentile", 25),
        ("at the median", 50),
        ("at the 25th percentile", 75),
        ("at the 5th percentile", 95),
    ]


def test_one_text_is_at_every_place():
    assert {row for _, row in rank_examples(np.array([0.5]))} == {0}
