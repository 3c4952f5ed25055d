"""CSV and JSON lines: columns, vectors and broken lines."""

import json

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.stores.load import open_store


def rng():
    return np.random.default_rng(0)


def test_numbered_columns_of_words_are_not_a_vector(tmp_path):
    (tmp_path / "v.csv").write_text("line1,line2,v0,v1\nElm Street,Springfield,0.5,1\nOak Road,Shelbyville,2,3\n")
    with open_store(tmp_path / "v.csv") as store:
        sample = store.sample(2, np.random.default_rng(0))
    assert sample.vectors.tolist() == [[0.5, 1], [2, 3]]
    assert sample.attributes["line2"] == ["Springfield", "Shelbyville"]


def test_too_many_columns_are_refused(tmp_path):
    row = {"vector": [1, 2]} | {f"key{number}": number for number in range(10_001)}
    (tmp_path / "v.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(InputError, match="more than 10,000 columns"):
        open_store(tmp_path / "v.jsonl")


def test_columns_that_only_later_lines_have_are_found(tmp_path):
    rows = [{"vector": [1.0, row], "note": None, "odd": 'say ": [1, 2]"'} for row in range(400)]
    for row in rows[300:]:
        row |= {"email": "a@mail.org", "note": "late", "tags": ["x"]}
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with open_store(tmp_path / "v.jsonl") as store:
        description = store.describe()
        assert description.rows == 400
        assert set(description.columns.attributes) == {"note", "odd", "email"}
        assert description.columns.payload == ("tags",)
        sample = store.sample(400, rng())
    assert sample.attributes["email"] == [None] * 300 + ["a@mail.org"] * 100
    assert sample.attributes["note"] == [None] * 300 + ["late"] * 100
    assert sample.attributes["odd"] == ['say ": [1, 2]"'] * 400


def test_vectors_that_only_later_rows_have_are_found(tmp_path):
    """A column of lists that is empty at first, and numbered columns with a hole where a block begins."""
    lines = [f'{row},"{[1.0, row] if row >= 300 else ""}"' for row in range(400)]
    (tmp_path / "v.csv").write_text("\n".join(["id,vector", *lines]))
    with open_store(tmp_path / "v.csv") as store, pytest.raises(InputError, match="no vector in 300 of 400 rows"):
        store.sample(400, rng())
    holes = [f"{row},{'' if row == 1024 else row}" for row in range(1100)]
    (tmp_path / "w.csv").write_text("\n".join(["v0,v1", *holes]))
    with open_store(tmp_path / "w.csv") as store, pytest.raises(InputError, match="no vector in 1 of 1100 rows"):
        store.sample(1100, rng())


def test_a_truncated_line_is_reported_by_its_number(tmp_path):
    lines = [json.dumps({"vector": [1.0, row], "text": "a letter"}) for row in range(400)]
    (tmp_path / "v.jsonl").write_text("\n".join(lines)[:-5])
    with pytest.raises(InputError, match="line 400 is not JSON"):
        open_store(tmp_path / "v.jsonl")


def test_a_column_for_every_row_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("vestige.stores.arrow_columns.MOST_COLUMNS", 500)
    (tmp_path / "v.jsonl").write_text("\n".join(json.dumps({"vector": [1.0, 2], f"k{row}": 1}) for row in range(900)))
    with pytest.raises(InputError, match="more than 500 columns"):
        open_store(tmp_path / "v.jsonl")
