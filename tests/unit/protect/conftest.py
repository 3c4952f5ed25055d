"""Vectors in a file, and small blocks so that a short file has many of them."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.protect import arrays, tables


@pytest.fixture(scope="module")
def vectors():
    return WordSum().encode(toy_corpus(1500).texts)


@pytest.fixture
def source(tmp_path, vectors, request):
    """The vectors as .npy, or as parquet among other columns."""
    path = tmp_path / f"vectors.{getattr(request, 'param', 'npy')}"
    if path.suffix == ".npy":
        np.save(path, vectors)
    else:
        table = {
            "id": range(len(vectors)),
            "embedding": list(vectors),
            "text": ["some text"] * len(vectors),
            "tags": [["a", "b"]] * len(vectors),
        }
        pq.write_table(pa.table(table), path, row_group_size=400)
    return path


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(arrays, "BLOCK_BYTES", 1)
    monkeypatch.setattr(arrays, "PART_BYTES", 1)
    monkeypatch.setattr(tables, "BLOCK_VALUES", 200 * 64)
    monkeypatch.setattr(tables, "PART_BLOCKS", 1)
