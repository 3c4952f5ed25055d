"""Tables of a judged defense, matched by id or by order."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.case.settings import Settings
from vestige.defend.recorded_tables import read_recorded
from vestige.errors import InputError

ROWS = np.random.default_rng(0).standard_normal((30, 4)).astype(np.float32)


@pytest.fixture
def write(tmp_path):
    def write_store(name, ids, vectors):
        path = tmp_path / f"{name}.parquet"
        pq.write_table(pa.table({"id": ids, "vector": vectors.tolist()}), path)
        return path

    return write_store


def test_rows_are_matched_by_id_and_extra_ones_are_ignored(write):
    order = np.random.default_rng(1).permutation(30)
    ids = [f"row {number}" for number in range(30)]
    raw = write("raw", ids[:20], ROWS[:20])
    protected = write("protected", [ids[number] for number in order], -ROWS[order])
    found = read_recorded(raw, protected, None, Settings())
    np.testing.assert_allclose(found.transform(ROWS[:20]), -ROWS[:20])


def test_without_ids_the_order_decides(write):
    found = read_recorded(ROWS, write("protected", [str(row) for row in range(30)], -ROWS), None, Settings())
    np.testing.assert_allclose(found.transform(ROWS), -ROWS)


def test_ids_that_are_missing_or_occur_twice_are_refused(write):
    raw = write("raw", ["a", "b", "c"], ROWS[:3])
    with pytest.raises(InputError, match="PROTECTED has no row with the id 'c', and lacks 1 of 3 ids"):
        read_recorded(raw, write("short", ["a", "b", "d"], ROWS[:3]), None, Settings())
    with pytest.raises(InputError, match="ids occur twice"):
        read_recorded(raw, write("twice", ["a", "b", "b"], ROWS[:3]), None, Settings())
