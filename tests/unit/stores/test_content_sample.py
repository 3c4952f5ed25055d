"""Samples by content: any order of rows, any batches, the same sample."""

import numpy as np
import pyarrow as pa
import pytest

from vestige.errors import InputError
from vestige.stores import content_sample
from vestige.stores.content_sample import ContentSample, sort_by_content
from vestige.stores.load import open_store

VECTORS = np.random.default_rng(0).normal(size=(1000, 4)).astype(np.float32)
TEXTS = [f"text {row % 900}" for row in range(1000)]


def draw(order, sizes, seed=0, texts=TEXTS, size=100):
    sample = ContentSample(size, seed, "here")
    rows = pa.table({"row": order})
    for start in range(0, len(order), sizes):
        part = order[start : start + sizes]
        known = None if texts is None else [texts[row] for row in part]
        sample.add(rows.slice(start, sizes), VECTORS[part], known)
    return sample.collect()["row"].to_pylist()


@pytest.mark.parametrize("texts", [TEXTS, None])
def test_neither_order_nor_batches_change_a_sample(texts):
    order = np.random.default_rng(1).permutation(1000)
    one, two = draw(np.arange(1000), 1000, texts=texts), draw(order, 7, texts=texts)
    name = (lambda row: row) if texts is None else texts.__getitem__
    assert list(map(name, one)) == list(map(name, two))
    assert len(set(one)) == 100
    assert draw(np.arange(1000), 1000, seed=1, texts=texts) != one


def test_rows_are_drawn_from_all_over():
    drawn = draw(np.arange(1000), 64, size=400)
    assert np.histogram(drawn, bins=4, range=(0, 1000))[0].min() > 70


def test_copies_of_a_text_are_drawn_one_by_one():
    drawn = draw(np.arange(1000), 100, texts=["the same"] * 1000, size=100)
    assert len(set(drawn)) == 100


def test_a_text_decides_whatever_its_vector_and_a_vector_decides_where_there_is_no_text():
    order = sort_by_content(VECTORS[:50], TEXTS[:50], 0)
    assert sort_by_content(VECTORS[50:100], TEXTS[:50], 0) == order
    assert sort_by_content(VECTORS[:50], [""] * 50, 0) == sort_by_content(VECTORS[:50], None, 0)
    assert sort_by_content(VECTORS[:50], None, 0) != order


def test_rows_too_large_for_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr("vestige.memory._machine_memory", lambda: 10**6)
    sample = ContentSample(400, 0, "here")
    rows = pa.table({"text": ["x" * 4000] * 400})
    with pytest.raises(InputError, match=r"here needs .* draw fewer rows with --sample"):
        sample.add(rows, np.repeat(VECTORS[:400], 1, axis=0), [f"{row}" for row in range(400)])


def test_a_very_large_store_is_drawn_from_by_position(tmp_path, monkeypatch):
    np.save(tmp_path / "v.npy", VECTORS)
    monkeypatch.setattr("vestige.stores.store.SCANNED_ROWS", 999)
    with open_store(tmp_path / "v.npy") as store:
        sample = store.sample_by_content(50, 0)
    assert sample.numbers == sorted(sample.numbers)
    assert sample.bytes_read == 50 * 4 * 4
    assert content_sample.SCANNED_ROWS >= 100_000
