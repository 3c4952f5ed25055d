"""A pass over all rows finds what the checks of a sample of all rows find, however it is cut."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.store_makers import not_utf8
from vestige.engine.local_engine import LOCAL, LocalEngine
from vestige.errors import InputError
from vestige.preflight import VectorSample, check_vectors, whole
from vestige.preflight.whole import read_whole
from vestige.stores.arrow_columns import as_column
from vestige.stores.columns import Columns
from vestige.stores.load import open_store
from vestige.types import silent

ROWS = 400


def write(path, faults):
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(ROWS, 8)).astype(np.float32)
    vectors[:, 3] = 0.25
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [f"This is the text of row {row}, and it says nothing more." for row in range(ROWS)]
    mails = [f"jane{row}@mail.org" if row % 4 == 0 else "none" for row in range(ROWS)]
    if faults:
        vectors[50], vectors[60] = np.nan, 0
        vectors[70] = 1e30
        vectors[200:210] = vectors[:10]
        texts[200:205] = texts[:5]
        vectors[300:] *= 3
    table = pa.table({"id": range(ROWS), "vector": as_column(vectors), "text": texts, "contact": mails})
    pq.write_table(table, path, row_group_size=64)
    return str(path)


def check(path, *, every_row, engine=LOCAL, sample=ROWS):
    if every_row:
        found = read_whole(path, Columns(), sample, 0, texts=None, engine=engine, progress=silent)
        return check_vectors(found.sample, library=(), whole=found)
    with open_store(path) as store:
        return check_vectors(VectorSample.from_store(store, sample, 0), library=())


@pytest.mark.parametrize("faults", [False, True])
def test_all_rows_give_what_a_sample_of_all_rows_gives(tmp_path, faults, monkeypatch):
    path = write(tmp_path / "v.parquet", faults)
    monkeypatch.setattr(whole, "BLOCK_VALUES", 8 * 50)
    monkeypatch.setattr(whole, "PART_VALUES", 4 * 8 * 50)
    ours, theirs = check(path, every_row=True), check(path, every_row=False)
    assert [(each.name, each.level) for each in ours.checks] == [(each.name, each.level) for each in theirs.checks]
    for one, other in zip(ours.checks, theirs.checks, strict=True):
        assert dict(one.evidence) == pytest.approx(dict(other.evidence), rel=2e-3, abs=1e-6), one.name
        if one.name not in ("lengths", "spread"):
            assert one.sentence == other.sentence
    assert (ours.sampled, ours.rows) == (ROWS, ROWS)


def test_the_result_does_not_depend_on_workers_and_their_order(tmp_path, monkeypatch):
    path = write(tmp_path / "v.parquet", True)
    monkeypatch.setattr(whole, "BLOCK_VALUES", 8 * 50)
    monkeypatch.setattr(whole, "PART_VALUES", 4 * 8 * 50)
    results = [check(path, every_row=True, engine=LocalEngine(workers)) for workers in (1, 3)]
    assert results[0] == results[1]


def test_faults_outside_the_sample_are_found(tmp_path):
    path = write(tmp_path / "v.parquet", True)
    result = check(path, every_row=True, sample=5)
    (finite,) = result.named("finite")
    assert (finite.level, finite.evidence["rows"]) == ("error", 1)
    assert "first row 50" in finite.sentence
    assert "(Compared in a sample of 5.)" in result.named("near-duplicates")[0].sentence


def test_repeats_of_many_rows_are_estimated(tmp_path, monkeypatch):
    monkeypatch.setattr("vestige.preflight.statistics.MOST_HASHES", 2**13)
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(40_000, 4)).astype(np.float32)
    vectors[30_000:] = vectors[:10_000]
    np.save(tmp_path / "v.npy", vectors)
    (found,) = check(str(tmp_path / "v.npy"), every_row=True, sample=100).named("duplicates")
    assert found.sentence.startswith("About ")
    assert found.evidence["share"] == pytest.approx(0.25, abs=0.02)


def test_a_source_that_changes_is_named(tmp_path, monkeypatch):
    path = write(tmp_path / "v.parquet", False)
    real = whole._Pass._summarize

    def change(self, batch, start):
        write(tmp_path / "v.parquet", True)
        return real(self, batch, start)

    monkeypatch.setattr(whole._Pass, "_summarize", change)
    with pytest.raises(InputError, match=r"v.parquet"):
        check(path, every_row=True)


@pytest.mark.parametrize("most", [ROWS, ROWS - 1])
def test_both_passes_draw_the_same_sample(tmp_path, monkeypatch, most):
    """Of a very large store too, where rows are drawn by position."""
    monkeypatch.setattr("vestige.stores.store.SCANNED_ROWS", most)
    path = write(tmp_path / "v.parquet", False)
    with open_store(path) as store:
        expected = VectorSample.from_store(store, 20, 3)
    found = read_whole(path, Columns(), 20, 3, texts=None, engine=LOCAL, progress=silent).sample
    assert (found.texts, found.numbers) == (expected.texts, expected.numbers)
    assert (found.vectors == expected.vectors).all()


@pytest.mark.parametrize("column", ["text", "contact"])
def test_text_that_is_not_utf8_is_refused(tmp_path, column):
    vectors = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
    pq.write_table(pa.table({"vector": as_column(vectors), column: not_utf8(20)}), tmp_path / "v.parquet")
    with pytest.raises(InputError, match=f"column '{column}' holds text that is not UTF-8"):
        check(str(tmp_path / "v.parquet"), every_row=True, sample=5)


@pytest.mark.parametrize(
    ("kind", "read"),
    [
        (pa.int64(), False),
        (pa.float32(), False),
        (pa.bool_(), False),
        (pa.timestamp("s"), False),
        (pa.string(), True),
        (pa.dictionary(pa.int32(), pa.string()), True),
        (pa.list_(pa.int64()), True),
        (pa.struct({"name": pa.string()}), True),
    ],
)
def test_columns_of_numbers_are_not_searched_for_text(kind, read):
    assert whole._may_hold_text(kind) == read


def test_a_slow_part_is_read_a_second_time(tmp_path):
    jobs = []

    class Engine:
        is_cluster = True

        def run(self, job, items, total, advance):
            jobs.append(job)
            return LOCAL.run(job, items, total, advance)

    check(write(tmp_path / "v.parquet", False), every_row=True, engine=Engine())
    assert jobs[0].repeats
