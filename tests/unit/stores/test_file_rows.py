"""Rows of a .npy file without a memory map."""

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.stores.file_rows import FileRows


@pytest.fixture
def saved(tmp_path):
    table = np.arange(60, dtype=np.float32).reshape(20, 3)
    np.save(tmp_path / "v.npy", table)
    return table, FileRows(np.load(tmp_path / "v.npy", mmap_mode="r"))


def test_slices_and_lists_of_rows_are_read(saved):
    table, rows = saved
    assert (rows.shape, len(rows), rows.dtype) == (table.shape, 20, table.dtype)
    assert (rows[3:7] == table[3:7]).all()
    assert (rows[15:99] == table[15:]).all()
    assert rows[9:9].shape == (0, 3)
    for places in ([], [4], [1, 2, 3, 9, 8, 8], list(range(20))):
        assert (rows[np.array(places, dtype=np.int64)] == table[places]).all()


def test_a_file_that_became_shorter_is_named(saved, tmp_path):
    np.save(tmp_path / "v.npy", np.zeros((2, 3), np.float32))
    with pytest.raises(InputError, match=r"v.npy became shorter while it was read; expected 20 rows"):
        saved[1][0:20]
