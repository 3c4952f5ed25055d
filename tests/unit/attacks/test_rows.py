import numpy as np

from vestige.attacks.rows import split_blocks


def test_the_last_block_is_filled_up_with_its_first_row():
    rows = np.arange(10).reshape(5, 2)
    found = [(block.tolist(), count) for block, count in split_blocks(rows, 3)]
    assert found == [([[0, 1], [2, 3], [4, 5]], 3), ([[6, 7], [8, 9], [6, 7]], 2)]
    assert not list(split_blocks(rows[:0], 3))
