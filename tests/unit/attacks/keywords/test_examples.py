"""Texts with keywords inserted and removed."""

import numpy as np

from tests.conftest import WordSum
from tests.unit.attacks.keywords.conftest import KEYWORDS
from vestige.attacks.keywords.examples import Substitution
from vestige.text.keywords import keyword_table


def test_the_published_corpus_of_a_keyword_is_twice_the_pairs_and_balanced(world):
    examples = Substitution(world.texts, KEYWORDS, WordSum()).build_per_keyword(world.vectors, np.random.default_rng(0))
    for without, holding in examples.sides:
        assert len(without) == len(holding) == len(world.texts)
    held = keyword_table(world.texts, KEYWORDS)[:, 0]
    without, holding = examples.sides[0]
    assert (examples.labels[holding, 0]).all()
    assert np.flatnonzero(held).tolist() == [row for row in holding if row < len(world.texts)]


def test_the_shared_corpus_labels_every_text_for_every_keyword(world):
    seen = []

    class Listening(WordSum):
        def encode(self, texts, **given):
            seen.extend(texts)
            return super().encode(texts, **given)

    examples = Substitution(world.texts, KEYWORDS, Listening()).build_shared(
        world.vectors, 700, np.random.default_rng(0)
    )
    assert len(seen) == 700
    assert (examples.labels == keyword_table([*world.texts, *seen], KEYWORDS)).all()
    assert examples.labels[len(world.texts) :].sum(axis=0).min() > 500
