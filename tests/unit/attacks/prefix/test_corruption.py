"""Mistakes, and the edits that undo them."""

import numpy as np
import pytest

from vestige.attacks.prefix.corruption import Mistakes, find_edits
from vestige.attacks.prefix.network import DELETE, NOTHING, RESERVED

A, B, C, D, E = range(RESERVED, RESERVED + 5)


@pytest.mark.parametrize(
    ("text", "true", "words", "gaps"),
    [
        ((A, B, C), (A, D, C), [A, D, C], [NOTHING] * 4),
        ((A, B, C), (A, C), [A, DELETE, C], [NOTHING] * 4),
        ((A, C), (A, B, C), [A, C], [NOTHING, B, NOTHING]),
        ((A, B), (A, C, D), [A, C], [NOTHING, NOTHING, D]),
        ((A, B, C), (D,), [D, DELETE, DELETE], [NOTHING] * 4),
        ((A,), (A,), [A], [NOTHING] * 2),
    ],
)
def test_edits_lead_to_the_true_text(text, true, words, gaps):
    assert find_edits(text, true, np.random.default_rng(0)) == (words, gaps)


def test_of_several_missing_words_any_is_wanted():
    drawn = {find_edits((A,), (A, B, C), np.random.default_rng(seed))[1][1] for seed in range(20)}
    assert drawn == {B, C}


def test_mistakes_are_words_and_leave_some_of_the_text():
    vectors = np.random.default_rng(0).standard_normal((40, 8)).astype(np.float32)
    mistakes = Mistakes.learn(vectors, np.arange(40))
    text = list(range(RESERVED, 30))
    spoiled = [mistakes.spoil(text, np.random.default_rng(seed)) for seed in range(200)]
    assert all(RESERVED <= word < 40 for each in spoiled for word in each)
    shared = [len(set(text) & set(each)) / len(text) for each in spoiled]
    assert 0.5 < np.mean(shared) < 0.95
    assert spoiled[3] == mistakes.spoil(text, np.random.default_rng(3))
    assert len({*map(tuple, spoiled)}) > 150


def test_similar_words_are_the_nearest():
    vectors = np.eye(30, dtype=np.float32)
    vectors[RESERVED + 1] = vectors[RESERVED] + 0.1
    similar = Mistakes.learn(vectors, np.ones(30, np.int64)).similar
    assert {RESERVED, RESERVED + 1} <= set(similar[RESERVED].tolist())
    assert similar.min() >= RESERVED
