"""Samples and batches of a store, and the rows that they refuse."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.errors import InputError
from vestige.stores.load import open_store
from vestige.stores.sample import Sample


def rng():
    return np.random.default_rng(0)


def vectors(rows, dimension=4):
    return np.random.default_rng(1).normal(size=(rows, dimension)).astype(np.float32)


def test_an_unchecked_sample_keeps_the_rows_that_a_sample_refuses(tmp_path):
    broken = vectors(50).astype(np.float64)
    broken[3], broken[4], broken[5] = np.nan, 0, 1e300
    np.save(tmp_path / "v.npy", broken)
    with open_store(tmp_path / "v.npy") as store:
        with pytest.raises(InputError, match="NaN or infinite values in 2 of 50 rows read, first in row 3"):
            store.sample(50, rng())
        seen = store.sample_unchecked(50, rng())
    assert np.flatnonzero(~np.isfinite(seen.vectors).all(axis=1)).tolist() == [3, 5]
    assert seen.numbers == list(range(50))


def test_batches_detect_a_dimension_that_changes_late(tmp_path):
    lines = [{"vector": [1, 2] if row < 6 else [1, 2, 3]} for row in range(9)]
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with open_store(tmp_path / "v.jsonl") as store:
        batches = store.batches(3)
        assert [next(batches).num_rows, next(batches).num_rows] == [3, 3]
        with pytest.raises(InputError, match="vectors of 2 and then of 3 numbers"):
            next(batches)


@pytest.mark.parametrize("ending", ["npy", "parquet"])
def test_a_broken_row_is_reported_by_its_number_in_the_whole_table(tmp_path, ending):
    table = vectors(3000)
    table[2901] = np.nan
    path = tmp_path / f"v.{ending}"
    if ending == "npy":
        np.save(path, table)
    else:
        pq.write_table(pa.table({"embedding": list(table)}), path, row_group_size=500)
    with open_store(path) as store:
        with pytest.raises(InputError, match="first in row 2901"):
            store.sample(2999, np.random.default_rng(1))
        with pytest.raises(InputError, match="first in row 2901"):
            list(store.batches(500))


def test_rows_that_are_in_order_are_not_copied():
    sample = Sample(vectors(3), ["a", "b", "c"], None, {"year": [1, 2, 3]}, None)
    assert sample.reorder([0, 1, 2]) is sample
    turned = sample.reorder([2, 0, 1])
    assert (turned.ids, turned.attributes["year"]) == (["c", "a", "b"], [3, 1, 2])
    assert (turned.vectors == vectors(3)[[2, 0, 1]]).all()
