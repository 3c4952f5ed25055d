"""The batches that the networks learn from."""

import numpy as np

from vestige.attacks.patterns.field_classifiers import FieldExamples, draw_batches


def rng():
    return np.random.default_rng(0)


def test_every_row_is_seen_before_any_is_seen_again():
    drawn = np.concatenate(list(draw_batches(10, 5, 4, rng())))
    assert sorted(drawn[:10].tolist()) == sorted(drawn[10:].tolist()) == list(range(10))
    assert [len(rows) for rows in draw_batches(3, 5, 2, rng())] == [3, 3]


def test_held_out_texts_are_the_last():
    examples = FieldExamples(np.arange(10, dtype=np.float32)[:, None], np.arange(10)[:, None], [10])
    known, held = examples.split(3)
    assert known.vectors[:, 0].tolist() == list(range(7))
    assert held.labels[:, 0].tolist() == [7, 8, 9]
