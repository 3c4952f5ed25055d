"""Batches that are always full."""

import numpy as np

from vestige.encoders.full_batches import ROWS, encode_full_batches


def test_every_batch_is_full_and_rows_come_back_in_order():
    seen, done = [], []

    def encode(texts):
        seen.append({len(text) for text in texts})
        assert len(texts) == ROWS
        return np.array([[sum(text), len(text)] for text in texts], dtype=np.float32)

    texts = [[row] * (1 + row % 3) for row in range(40)]
    vectors = encode_full_batches(texts, 2, encode, done.append)
    assert (vectors == [[sum(text), len(text)] for text in texts]).all()
    assert all(len(lengths) == 1 for lengths in seen)
    assert sum(done) == 40


def test_no_texts_give_no_rows():
    assert encode_full_batches([], 3, lambda _texts: None, lambda _steps: None).shape == (0, 3)
