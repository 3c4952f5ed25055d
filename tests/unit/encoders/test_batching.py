import numpy as np
import pytest

from vestige.encoders.batching import (
    FEWEST_TOKENS,
    MOST_TOKENS,
    batch_by_length,
    encode_by_length,
    pack_by_length,
)


def test_batches_have_one_length_and_the_longest_come_first():
    assert list(batch_by_length([3, 5, 3, 5, 3, 1], 2)) == [[1, 3], [0, 2], [4], [5]]


def test_a_batch_of_long_texts_is_limited_by_its_tokens():
    assert [len(batch) for batch in batch_by_length([MOST_TOKENS // 3] * 7, 32)] == [3, 3, 1]
    assert [len(batch) for batch in batch_by_length([MOST_TOKENS * 2] * 2, 32)] == [1, 1]


def test_packs_have_similar_lengths_and_at_most_so_many_tokens():
    lengths = [3, 50, 20, 3, 90, 30, 20]
    packs = list(pack_by_length(lengths, 64))
    assert packs == [[4], [1], [5, 2], [6, 0, 3]]
    assert list(pack_by_length([], 64)) == []


def test_small_batches_are_filled_with_copies_and_rows_come_in_order():
    sizes, steps = [], []

    def encode_rows(rows):
        sizes.append(len(rows))
        return np.array([[row, row + 10] for row in rows], dtype=np.float32)

    vectors = encode_by_length([2, 40, 2], 8, encode_rows, steps.append)
    assert vectors.tolist() == [[0, 10], [1, 11], [2, 12]]
    # One text of 40 tokens is repeated once; two texts of 2 tokens are repeated until there are 64 tokens.
    assert sizes == [2, FEWEST_TOKENS // 2]
    assert sum(steps) == 3


def test_a_text_without_tokens_is_a_batch_too():
    assert encode_by_length([0], 8, lambda rows: np.zeros((len(rows), 2), dtype=np.float32), lambda _: None).shape == (
        1,
        2,
    )


def test_no_rows_are_an_error_of_the_caller():
    with pytest.raises(ValueError, match="no rows to encode"):
        encode_by_length([], 8, lambda rows: np.zeros((len(rows), 2), dtype=np.float32), lambda _: None)


def test_threads_share_the_batches_and_the_result_is_the_same():
    from threading import get_ident

    seen = set()

    def encode_rows(rows):
        seen.add(get_ident())
        return np.array([[row] for row in rows], dtype=np.float32)

    lengths = [70 + row % 5 for row in range(200)]
    vectors = encode_by_length(lengths, 4, encode_rows, lambda _: None, workers=2)
    assert vectors[:, 0].tolist() == list(range(200))
    assert get_ident() not in seen


def test_an_error_in_a_thread_reaches_the_caller():
    def encode_rows(rows):
        raise ValueError(f"row {rows[0]}")

    with pytest.raises(ValueError, match="row"):
        encode_by_length([70] * 50, 4, encode_rows, lambda _: None, workers=2)
