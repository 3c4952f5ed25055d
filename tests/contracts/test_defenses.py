"""What every defense must keep, whatever it does to vectors."""

import inspect
import pickle
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from vestige.defenses.catalogue import DEFENSES, make_defense
from vestige.defenses.saved import load_defense, save_defense
from vestige.errors import InputError, NotFitted

SPECS = (
    "rounding:1",
    "laplace:eps=20,sens=1",
    "gaussian:50",
    "metric:eps=500",
    "vmf:500",
    "ppm:0.1,rounds=5",
    "ppm:0.1,rounds=5,recipe=pan",
    "subspace",
    "subspace:0.1,scatter=within,norm=true",
    "leace",
    "projection:16",
    "pca:16",
    "autoencoder:16,epochs=2",
    "rotation",
    "int8",
    "int8:ranges=all,quantile=0.99",
    "binary",
    "pq:8,bits=4",
)
RANDOM = {"laplace", "gaussian", "metric", "vmf"}


def family(spec):
    return spec.partition(":")[0]


@pytest.fixture(scope="module")
def vectors(toy_pairs):
    return toy_pairs[0][:300]


@pytest.fixture(scope="module")
def labels(toy_pairs):
    return ["yes" if "bacox" in text.lower() else "no" for text in toy_pairs[1][:300]]


def fit(spec, vectors, labels, seed=0):
    needed = DEFENSES[family(spec)].needs
    if needed:
        pytest.importorskip(needed)
    return make_defense(spec).fit(vectors, labels, rng=np.random.default_rng(seed))


@pytest.fixture(scope="module")
def fitted(vectors, labels):
    """Any defense by its spec, fitted once."""
    return cache(lambda spec: fit(spec, vectors, labels))


def test_every_defense_of_the_catalogue_is_under_contract():
    assert {name for name, _ in DEFENSES} == {family(spec) for spec in SPECS}
    for _, entry in DEFENSES:
        kind = entry.load()
        settings = list(inspect.signature(kind.__init__).parameters.values())[1:]
        assert all(p.kind is p.KEYWORD_ONLY for p in settings if p.name not in ("args", "kwargs"))
        assert "Guarantee:" in kind.__doc__, f"{kind.__name__} says what it promises, or that it promises nothing"


@pytest.mark.parametrize("spec", SPECS)
def test_a_row_a_text_of_finite_single_numbers_that_are_not_what_they_were(spec, fitted, vectors):
    defended = fitted(spec).transform(vectors)
    assert len(defended) == len(vectors)
    assert defended.dtype == np.float32
    assert np.isfinite(defended).all()
    assert defended.shape != vectors.shape or not np.array_equal(defended, vectors)
    assert fitted(spec).transform(vectors[:0]).shape == (0, defended.shape[1])


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_gives_the_same_bytes(spec, fitted, vectors, labels):
    assert fit(spec, vectors, labels).transform(vectors).tobytes() == fitted(spec).transform(vectors).tobytes()


@pytest.mark.parametrize("spec", SPECS)
def test_a_table_in_parts_gives_the_bytes_of_the_whole(spec, fitted, vectors):
    whole = fitted(spec).transform(vectors)
    cuts = [0, 1, 8, 264, len(vectors)]
    parts = [fitted(spec).transform(vectors[a:b], start=a) for a, b in pairwise(cuts)]
    assert np.concatenate(parts).tobytes() == whole.tobytes()


@pytest.mark.parametrize("spec", SPECS)
def test_the_given_vectors_are_left_as_they_were(spec, fitted, vectors):
    before = vectors.copy()
    fitted(spec).transform(vectors)
    np.testing.assert_array_equal(vectors, before)


@pytest.mark.parametrize("spec", SPECS)
def test_saved_and_loaded_it_gives_the_same_bytes(spec, fitted, vectors, tmp_path):
    save_defense(fitted(spec), tmp_path / "kept")
    again = load_defense(tmp_path / "kept")
    assert again.get_params() == fitted(spec).get_params()
    assert again.transform(vectors).tobytes() == fitted(spec).transform(vectors).tobytes()


@pytest.mark.parametrize("spec", SPECS)
def test_nothing_learned_can_be_changed(spec, fitted):
    for name in fitted(spec).learned:
        assert not getattr(fitted(spec), name).flags.writeable


@pytest.mark.parametrize("spec", SPECS)
def test_it_is_an_estimator_of_scikit_learn(spec, fitted, vectors, labels):
    copy = clone(fitted(spec))
    assert copy.get_params() == fitted(spec).get_params()
    with pytest.raises(NotFitted, match="before fit"):
        copy.transform(vectors)
    if family(spec) not in {"ppm", "autoencoder", "pq"}:
        assert len(make_pipeline(copy).fit(vectors, labels).transform(vectors)) == len(vectors)


@pytest.mark.parametrize("spec", SPECS)
def test_vectors_that_cannot_be_used_are_named(spec, fitted, vectors):
    with pytest.raises(InputError, match="63 columns, and fit was given 64"):
        fitted(spec).transform(vectors[:, :63])
    with pytest.raises(InputError, match="shape"):
        fitted(spec).transform(vectors[0])
    with pytest.raises(InputError, match="The 'start' parameter must be a whole number, at least 0"):
        fitted(spec).transform(vectors, start=-1)
    broken = vectors.copy()
    broken[7, 0] = np.nan
    with pytest.raises(InputError, match="1 of 300 vectors hold NaN or infinity, the first in row 7"):
        fitted(spec).transform(broken)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if family(spec) in RANDOM])
def test_no_two_rows_share_their_noise(spec, fitted, vectors):
    """Equal rows get different noise, other rows at the same place too: subtracting strips nothing."""
    twice = np.stack([vectors[0], vectors[0], vectors[1]])
    noise = fitted(spec).transform(twice) - twice
    elsewhere = fitted(spec).transform(vectors[1:2]) - vectors[1:2]
    for other in (noise[1], noise[2], elsewhere[0]):
        assert abs(np.corrcoef(noise[0], other)[0, 1]) < 0.5
    assert np.array_equal(fitted(spec).transform(twice), fitted(spec).transform(twice)), "asking twice averages nothing"


@pytest.mark.parametrize("spec", [spec for spec in SPECS if family(spec) in RANDOM])
def test_another_seed_and_none_give_other_noise(spec, fitted, vectors):
    unseeded = [make_defense(spec).fit(vectors).transform(vectors[:1]).tobytes() for _ in range(2)]
    other = fit(spec, vectors, None, seed=1).transform(vectors[:1]).tobytes()
    assert len({*unseeded, other, fitted(spec).transform(vectors[:1]).tobytes()}) == 4


@pytest.mark.parametrize("spec", ["subspace", "leace", "ppm"])
def test_a_defense_that_hides_labels_asks_for_them(spec, vectors):
    with pytest.raises(InputError, match="hides what labels say and was given none"):
        make_defense(spec).fit(vectors)


def test_nothing_in_a_saved_defense_can_be_run(fitted, tmp_path):
    save_defense(fitted("laplace:eps=20,sens=1"), tmp_path / "kept")
    for path in (tmp_path / "kept").iterdir():
        with pytest.raises((pickle.UnpicklingError, EOFError, ValueError, KeyError, IndexError)):
            pickle.loads(path.read_bytes())  # noqa: S301
