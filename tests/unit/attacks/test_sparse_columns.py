"""Columns of a sparse table, chosen by hand."""

import numpy as np
from scipy import sparse

from vestige.attacks.sparse_columns import KeptColumns

TABLE = np.array([[0, 1, 0, 2, 0], [0, 3, 0, 4, 0], [5, 0, 0, 6, 0]], np.float32)


def test_the_columns_that_most_rows_use_are_kept_in_their_order():
    kept = KeptColumns.choose(sparse.csr_array(TABLE), most=2)
    assert (kept.width, kept.columns.tolist()) == (5, [1, 3])
    assert kept.take(sparse.csr_array(TABLE)).tolist() == [[1, 2], [3, 4], [0, 6]]
    assert kept.take(TABLE).tolist() == [[1, 2], [3, 4], [0, 6]]


def test_unused_columns_are_never_kept():
    table = sparse.csr_array(TABLE)
    assert KeptColumns.choose(table).columns.tolist() == [0, 1, 3]
    table.data[table.data == 5] = 0  # stored, but zero
    assert KeptColumns.choose(table).columns.tolist() == [1, 3]


def test_a_table_of_zeros_keeps_one_column():
    assert KeptColumns.choose(sparse.csr_array((3, 4), dtype=np.float32)).columns.tolist() == [0]


def test_a_dense_table_keeps_all():
    kept = KeptColumns.choose(TABLE, most=2)
    assert kept.columns is None
    assert kept.take(TABLE) is TABLE
    assert kept.take(sparse.csr_array(TABLE)).tolist() == TABLE.tolist()
