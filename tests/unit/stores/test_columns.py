"""Which column holds what."""

import json

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.stores.columns import Columns
from vestige.stores.load import open_store


def rng():
    return np.random.default_rng(0)


def test_named_columns_take_precedence(tmp_path):
    lines = [{"a": [1.0, row], "b": [2.0, row], "body": "x", "note": "y", "key": row} for row in range(5)]
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(InputError, match="has vectors in a, b; name the column to read with --vector-column"):
        open_store(tmp_path / "v.jsonl")
    with pytest.raises(InputError, match=r"no column 'c'; .*known: a, b"):
        open_store(tmp_path / "v.jsonl", Columns(vectors="c"))
    with pytest.raises(InputError, match="holds string in 'body'; expected one vector per row"):
        open_store(tmp_path / "v.jsonl", Columns(vectors="body"))
    with open_store(tmp_path / "v.jsonl", Columns(vectors="b", texts="note", attributes=("body",))) as store:
        description = store.describe()
        assert description.columns == Columns("b", "key", "note", ("body",))
        assert description.guessed == ("ids",)
        assert store.sample(9, rng()).texts == ["y"] * 5
