"""Batches, whatever the lengths."""

from hypothesis import given
from hypothesis import strategies as st

from vestige.encoders.batching import batch_by_length


@given(st.lists(st.integers(1, 6)), st.integers(1, 4))
def test_batches_contain_every_row_once_and_have_one_length_each(lengths, size):
    batches = list(batch_by_length(lengths, size))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(len({lengths[row] for row in batch}) == 1 and len(batch) <= size for batch in batches)
