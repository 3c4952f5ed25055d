"""The adapter hides a label from a linear classifier and preserves more neighbours than a stronger one."""

import numpy as np
import pytest

from tests.unit.defenses.adaptive import defend, leak
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError
from vestige.utility.neighbours import neighbourhood


def test_a_word_is_harder_to_infer_by_an_adversary_who_knows_the_adapter(keyword_case):
    assert leak("adapter:30", keyword_case) < 0.9


def test_a_small_weight_preserves_more_neighbours(keyword_case):
    vectors, labels = keyword_case
    mild, strong = (
        neighbourhood(vectors, defend(f"adapter:{weight}", vectors, labels), rng=np.random.default_rng(0)).recall.value
        for weight in (0.1, 30)
    )
    assert mild > max(strong, 0.9)


def test_the_length_of_a_vector_does_not_matter(keyword_case):
    vectors, labels = keyword_case
    adapter = make_defense("adapter:1,steps=2").fit(vectors, labels, rng=np.random.default_rng(0))
    assert adapter.transform(vectors * 2) == pytest.approx(adapter.transform(vectors), abs=1e-6)


def test_a_weight_of_zero_would_hide_nothing():
    with pytest.raises(InputError, match="weight"):
        make_defense("adapter:0")
