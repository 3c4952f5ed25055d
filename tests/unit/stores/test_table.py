"""The interface of a store, by the toy store, and the helpers that readers share."""

import numpy as np
import pytest

from tests.toy_store import ToyTable
from vestige.errors import InputError
from vestige.stores.store import Store
from vestige.stores.table import KEYS_AT_ONCE, SCHEMA_ROWS, KeyedTable, choose_collection, draw_rows


class Squares(KeyedTable):
    """Numbers from 0 on, with their squares; only the last row has a remark."""

    def __init__(self, count):
        self.requests = []
        self.set_keys("squares", [f"k{number}" for number in range(count)])

    def fetch(self, keys, names):  # noqa: ARG002
        self.requests.append(len(keys))
        numbers = [int(key[1:]) for key in keys]
        last = len(self._keys) - 1
        return [
            {"id": number, "vector": [float(number), float(number) ** 2], **({"remark": "x"} if number == last else {})}
            for number in numbers
        ]


def test_a_new_store_needs_only_its_attributes_and_take():
    ToyTable.shelves["numbers"] = {"squares": [{"id": row, "vector": [1.0, row, row**2]} for row in range(7)]}
    with Store(ToyTable("numbers", None)) as store:
        assert store.describe().guessed == ("collection", "vectors", "ids")
        assert store.sample(3, np.random.default_rng(0)).vectors.shape == (3, 3)
        assert [batch.num_rows for batch in store.batches(3)] == [3, 3, 1]
        assert store.vectors()[:, 2].tolist() == [row**2 for row in range(7)]


def test_rows_are_fetched_by_their_keys_a_thousand_at_a_time():
    table = Squares(2500)
    assert table.requests == [SCHEMA_ROWS]
    rows = table.take(np.arange(2500)[::-1], ["vector"])
    assert table.requests[1:] == [KEYS_AT_ONCE, KEYS_AT_ONCE, 500]
    assert rows["vector"].to_pylist()[:2] == [[2499.0, 2499.0**2], [2498.0, 2498.0**2]]


def test_the_columns_of_a_keyed_table_come_from_rows_spread_over_all_of_it():
    assert Squares(10_000).schema.names == ["id", "vector", "remark"]
    assert Squares(1).schema.names == ["id", "vector", "remark"]
    assert Squares(0).rows == 0


def test_rows_are_drawn_without_replacement_in_order():
    rows = draw_rows(1000, 300, np.random.default_rng(0))
    assert len(set(rows.tolist())) == 300
    assert (np.diff(rows) > 0).all()
    assert draw_rows(5, 9, np.random.default_rng(0)).tolist() == [0, 1, 2, 3, 4]


def test_a_collection_is_named_or_the_only_one():
    assert choose_collection("a", ["a", "b"], "here", "table") == ("a", ())
    assert choose_collection(None, ["a"], "here", "table") == ("a", ("table",))
    for name, names, message in (
        ("c", ["a", "b"], "here has no table 'c'; .*known: a, b"),
        (None, ["a", "b"], r"here has 2 tables \(a, b\); name one as in 'here#NAME'"),
        (None, [], "here has no table; expected one that holds vectors"),
    ):
        with pytest.raises(InputError, match=message):
            choose_collection(name, names, "here", "table")
