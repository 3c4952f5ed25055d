"""What every store must keep, whoever made it: the same rows out, and not a byte of it changed."""

from functools import cache
from hashlib import sha256

import numpy as np
import pytest

from tests.store_makers import DIMENSION, LABELS, MAKERS, ROWS, TEXTS, VECTORS, YEARS
from vestige.errors import InputError
from vestige.preflight import Specimen, preflight
from vestige.stores.load import FILES, STORES, open_store
from vestige.text.corpus import Corpus


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Any store by name, made once, with the folder it lies in."""

    @cache
    def make(name):
        folder = tmp_path_factory.mktemp("store")
        return MAKERS[name](folder), folder

    return make


@pytest.fixture
def opened(made):
    """Opens a store, and proves when the test is over that not a byte in its folder changed."""
    stores = []

    def opening(name):
        store, folder = made(name)
        before = fingerprint(folder)
        stores.append((open_store(store.source), folder, before))
        return stores[-1][0], store

    yield opening
    for store, folder, before in stores:
        store.close()
        assert fingerprint(folder) == before


def fingerprint(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path: sha256(path.read_bytes()).hexdigest() for path in files}


def test_every_kind_is_under_contract():
    kinds = {name.partition(",")[0].partition(" ")[0] for name in MAKERS}
    endings = {ending.removeprefix(".") for ending in FILES} - {"h5"}
    assert {kind.removesuffix(".gz") for kind in kinds} == endings | {name for name, _ in STORES}


@pytest.mark.parametrize("name", MAKERS)
def test_all_rows_come_out_as_they_went_in(name, opened):
    store, made = opened(name)
    sample = store.sample(ROWS + 1, np.random.default_rng(0))
    assert len(sample) == ROWS
    check(sample, made)


@pytest.mark.parametrize("name", MAKERS)
def test_a_sample_is_of_the_whole_store_and_its_seed_gives_it_again(name, opened):
    store, made = opened(name)
    sample = store.sample(300, np.random.default_rng(3))
    check(sample, made)
    numbers = np.array([int(each) for each in sample.ids])
    assert len(set(sample.ids)) == len(sample) == 300
    assert np.histogram(numbers, bins=10, range=(0, ROWS))[0].min() >= 10
    again, other = store.sample(300, np.random.default_rng(3)), store.sample(300, np.random.default_rng(4))
    assert again.ids == sample.ids
    assert (again.vectors == sample.vectors).all()
    assert set(other.ids) != set(sample.ids)


OF_ANOTHER_ORDER = {"sqlite-vec, blobs with a write-ahead log", "faiss, IVF", "faiss, IVF of halves"}
"""Their rows lie in the order of keys that are strings, or list by list."""


@pytest.mark.parametrize("name", [name for name in MAKERS if name not in OF_ANOTHER_ORDER])
def test_a_seed_draws_the_same_rows_from_every_store_that_keeps_their_order(name, opened):
    store, _ = opened(name)
    expected = np.sort(np.random.default_rng(5).choice(ROWS, 90, replace=False, shuffle=False))
    assert [int(each) for each in store.sample(90, np.random.default_rng(5)).ids] == expected.tolist()


@pytest.mark.parametrize("name", MAKERS)
def test_a_store_says_what_is_in_it(name, opened):
    store, made = opened(name)
    told = store.describe()
    assert (told.rows, told.exact, told.dimension, told.form) == (ROWS, True, DIMENSION, made.form)
    assert "vectors" in told.guessed
    assert {role for role in made.holds if getattr(told.columns, role)} == set(made.holds)
    assert set(told.columns.attributes or ()) == ({"label", "year"} if "attributes" in made.holds else set())


@pytest.mark.parametrize("name", MAKERS)
def test_batches_hold_every_row_once(name, opened):
    store, made = opened(name)
    batches = list(store.batches(256))
    assert max(batch.num_rows for batch in batches) <= 256
    assert sum(batch.num_rows for batch in batches) == ROWS
    columns = store.describe().columns
    seen = np.concatenate([np.array(batch[columns.vectors].to_pylist(), dtype=np.float32) for batch in batches])
    if columns.ids:
        ids = [int(value) for batch in batches for value in batch[columns.ids].to_pylist()]
        seen = seen[np.argsort(ids)]
    assert np.abs(seen - VECTORS).max() <= made.tolerance


def check(sample, made):
    """Every row of the sample is the row of its id."""
    numbers = [int(each) for each in sample.ids]
    assert sample.vectors.dtype == np.float32
    assert np.abs(sample.vectors - VECTORS[numbers]).max() <= made.tolerance
    if "texts" in made.holds:
        assert sample.texts == [TEXTS[row] for row in numbers]
    else:
        assert sample.texts is None
    if "attributes" in made.holds:
        assert sample.attributes["label"] == [LABELS[row] for row in numbers]
        assert [int(year) for year in sample.attributes["year"]] == [YEARS[row] for row in numbers]


@pytest.mark.parametrize("name", MAKERS)
def test_every_store_passes_a_preflight(name, opened):
    store, made = opened(name)
    specimen = Specimen.of_store(store, 500, np.random.default_rng(1))
    result = preflight(specimen, library=())
    assert (result.rows, result.sampled, result.form) == (ROWS, 500, made.form)
    assert not result.failed
    assert (result.checks[0].name, result.checks[0].level) == (
        "plaintext",
        "warning" if "texts" in made.holds else "ok",
    )


@pytest.mark.parametrize("name", MAKERS)
def test_texts_that_lie_elsewhere_find_their_rows(name, opened):
    store, _ = opened(name)
    sample = store.look(300, np.random.default_rng(2))
    expected = [TEXTS[int(each)] for each in sample.ids]
    alone, keyed = Corpus("alone", TEXTS), Corpus("keyed", TEXTS[::-1], attributes={"id": list(range(ROWS))[::-1]})
    if sample.numbers is None:
        with pytest.raises(InputError, match=r"ids that are no numbers of texts.*give alone a column with their ids"):
            Specimen.of_store(store, 300, np.random.default_rng(2), alone)
    else:
        assert Specimen.of_store(store, 300, np.random.default_rng(2), alone).texts == expected
    if store.describe().columns.ids == "id":
        assert Specimen.of_store(store, 300, np.random.default_rng(2), keyed).texts == expected
