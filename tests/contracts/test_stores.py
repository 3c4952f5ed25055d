"""What every kind of file and store guarantees: the same rows come out, and not a byte of it changes.

The kinds are those of the registries, and the toy store, which stands for plugins.
"""

from functools import cache
from hashlib import sha256

import numpy as np
import pytest

from tests.store_makers import DIMENSION, LABELS, MAKERS, ROWS, TEXTS, VECTORS, YEARS, Made, Maker, records
from tests.toy_store import ToyTable, plugged
from vestige.errors import InputError
from vestige.preflight import VectorSample, check_vectors
from vestige.stores.content_sample import sort_by_content
from vestige.stores.load import FILES, STORES, open_store
from vestige.text.corpus import Corpus


def make_toy(_folder):
    ToyTable.shelves["shelf"] = {"letters": records()}
    return Made("toy:shelf#letters", form="float64")


CASES = {**MAKERS, "toy": Maker("toy", make_toy)}


@pytest.fixture(scope="module", autouse=True)
def toy_plugin():
    with plugged(toy="tests.toy_store:ToyTable"):
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Make any store by name, once, and return it with its folder."""

    @cache
    def make(name):
        folder = tmp_path_factory.mktemp("store")
        return CASES[name](folder), folder

    return make


@pytest.fixture
def opened(made):
    """Open a store, and check after the test that not a byte in its folder has changed."""
    stores = []

    def open_case(name):
        store, folder = made(name)
        before = fingerprint(folder)
        stores.append((open_store(store.source), folder, before))
        return stores[-1][0], store

    yield open_case
    for store, folder, before in stores:
        store.close()
        assert fingerprint(folder) == before


def fingerprint(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path: sha256(path.read_bytes()).hexdigest() for path in files}


def test_every_kind_is_under_contract():
    assert {maker.kind for maker in CASES.values()} == {*FILES, *STORES.entries}


@pytest.mark.parametrize("name", CASES)
def test_all_rows_come_out_as_they_went_in(name, opened):
    store, made = opened(name)
    sample = store.sample(ROWS + 1, np.random.default_rng(0))
    assert len(sample) == ROWS
    check(sample, made)


@pytest.mark.parametrize("name", CASES)
def test_a_sample_covers_the_whole_store_and_its_seed_reproduces_it(name, opened):
    store, made = opened(name)
    sample = store.sample(300, np.random.default_rng(3))
    check(sample, made)
    numbers = np.array([int(key) for key in sample.ids])
    assert len(set(sample.ids)) == len(sample) == 300
    assert np.histogram(numbers, bins=10, range=(0, ROWS))[0].min() >= 10
    again, other = store.sample(300, np.random.default_rng(3)), store.sample(300, np.random.default_rng(4))
    assert again.ids == sample.ids
    assert (again.vectors == sample.vectors).all()
    assert set(other.ids) != set(sample.ids)


@pytest.mark.parametrize("name", CASES)
def test_a_seed_draws_the_same_positions_from_every_store(name, opened):
    """The positions are those of the batches; where a store keeps the order of its rows, the rows are the same too."""
    store, made = opened(name)
    ids = list_ids(store)
    assert sorted(ids) == list(range(ROWS))
    assert (ids == list(range(ROWS))) == made.in_order
    drawn = np.sort(np.random.default_rng(5).choice(ROWS, 90, replace=False, shuffle=False))
    assert [int(key) for key in store.sample(90, np.random.default_rng(5)).ids] == [ids[row] for row in drawn]


@pytest.mark.parametrize("name", CASES)
def test_a_store_describes_what_it_holds(name, opened):
    store, made = opened(name)
    description = store.describe()
    assert (description.rows, description.exact, description.dimension) == (ROWS, True, DIMENSION)
    assert description.form == made.form
    assert "vectors" in description.guessed
    assert {role for role in made.holds if getattr(description.columns, role)} == set(made.holds)
    assert set(description.columns.attributes or ()) == ({"label", "year"} if "attributes" in made.holds else set())


@pytest.mark.parametrize("name", CASES)
def test_batches_hold_every_row_once(name, opened):
    store, made = opened(name)
    batches = list(store.batches(256))
    assert max(batch.num_rows for batch in batches) <= 256
    assert sum(batch.num_rows for batch in batches) == ROWS
    column = store.describe().columns.vectors
    vectors = np.concatenate([np.array(batch[column].to_pylist(), dtype=np.float32) for batch in batches])
    assert np.abs(vectors[np.argsort(list_ids(store))] - VECTORS).max() <= made.tolerance


def list_ids(store):
    """The ids of all rows in the order of the batches; positions where the store has no ids."""
    column = store.describe().columns.ids
    return [int(key) for batch in store.batches(256) for key in batch[column].to_pylist()] if column else [*range(ROWS)]


def check(sample, made):
    """Every row of the sample is the row of its id."""
    numbers = [int(key) for key in sample.ids]
    assert sample.vectors.dtype == np.float32
    assert np.abs(sample.vectors - VECTORS[numbers]).max() <= made.tolerance
    if "texts" in made.holds:
        assert sample.texts == [TEXTS[row] for row in numbers]
    else:
        assert sample.texts is None
    if "attributes" in made.holds:
        assert sample.attributes["label"] == [LABELS[row] for row in numbers]
        assert [int(year) for year in sample.attributes["year"]] == [YEARS[row] for row in numbers]


@pytest.mark.parametrize("name", CASES)
def test_every_store_passes_a_preflight(name, opened):
    store, made = opened(name)
    vector_sample = VectorSample.from_store(store, 500, 1)
    result = check_vectors(vector_sample, library=())
    assert (result.rows, result.sampled, result.form) == (ROWS, 500, made.form)
    assert not result.failed
    assert (result.checks[0].name, result.checks[0].level) == (
        "plaintext",
        "warning" if "texts" in made.holds else "ok",
    )


@pytest.mark.parametrize("name", CASES)
def test_a_preflight_draws_the_same_rows_from_every_store(name, opened):
    """By text, or by vector where there are no texts; a store that rounds vectors draws others by vector."""
    store, made = opened(name)
    known, numbers = "texts" in made.holds, store.sample_unchecked(1, np.random.default_rng(0)).numbers
    if known or not made.tolerance:
        expected = sort_by_content(VECTORS, TEXTS if known else None, 3)[:100]
        assert sorted(find_rows(VectorSample.from_store(store, 100, 3))) == sorted(expected)
    if numbers is not None:
        expected = sort_by_content(VECTORS, TEXTS, 3)[:100]
        sample = VectorSample.from_store(store, 100, 3, Corpus("given", TEXTS))
        assert sorted(find_rows(sample)) == sorted(expected)


def find_rows(sample):
    """The rows of a sample: their numbers, or those of the nearest vectors if the store has no numbers."""
    return sample.numbers or (sample.vectors @ VECTORS.T).argmax(axis=1).tolist()


@pytest.mark.parametrize("name", CASES)
def test_texts_in_a_separate_file_are_matched_with_their_rows(name, opened):
    store, _ = opened(name)
    alone, keyed = Corpus("alone", TEXTS), Corpus("keyed", TEXTS[::-1], attributes={"id": list(range(ROWS))[::-1]})
    if store.sample_unchecked(1, np.random.default_rng(0)).numbers is None:
        with pytest.raises(InputError, match=r"give alone a column with their ids"):
            VectorSample.from_store(store, 300, 2, alone)
    else:
        assert match_texts(VectorSample.from_store(store, 300, 2, alone))
    if store.describe().columns.ids == "id":
        assert match_texts(VectorSample.from_store(store, 300, 2, keyed))


def match_texts(sample):
    """Whether the sample has the text of each of its vectors."""
    return sample.texts == [TEXTS[row] for row in find_rows(sample)]
