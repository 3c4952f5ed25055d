"""What every registered defense guarantees, whatever it does to vectors.

The defenses, their strengths and their recipes come from the registry: a new defense is under contract once it is
declared.
"""

import inspect
import pickle
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline

from vestige.defend.utility import UtilityTask
from vestige.defenses.catalogue import DEFENSES, list_strengths, make_defense
from vestige.defenses.defense import DefenseInfo
from vestige.defenses.mechanism import Mechanism
from vestige.defenses.saved import load_defense, save_defense
from vestige.errors import InputError, NotFitted

DIMENSION = 64
NAMES = [name for name, _ in DEFENSES]
SPECS = [spec for name, entry in DEFENSES for spec in (*list_strengths(name, DIMENSION), *entry.load().info.recipes)]
RANDOM = [spec for spec in SPECS if isinstance(make_defense(spec), Mechanism)]
ADDED = [spec for spec in RANDOM if make_defense(spec).info.queries != "another map"]
LABELLED = [spec for spec in SPECS if make_defense(spec).info.needs == "labels"]

defenses = pytest.mark.parametrize("name", NAMES)
every = pytest.mark.parametrize("spec", SPECS)


@pytest.fixture(scope="module")
def vectors(toy_pairs):
    return toy_pairs[0][:300]


@pytest.fixture(scope="module")
def labels(toy_pairs):
    return ["yes" if "bacox" in text.lower() else "no" for text in toy_pairs[1][:300]]


@pytest.fixture(scope="module")
def pairs(vectors):
    """Vectors, and the same with a word changed."""
    return vectors[:50], vectors[1:51]


@pytest.fixture(scope="module")
def fit(vectors, labels, pairs):
    """Fit any defense on the same data; what it does not need, it ignores."""

    def fit_defense(spec, rows=vectors, truth=labels, seed=0):
        library = DEFENSES[spec.partition(":")[0]].needs
        if library:
            pytest.importorskip(library)
        return make_defense(spec).fit(rows, truth, pairs=pairs, rng=np.random.default_rng(seed))

    return fit_defense


@pytest.fixture(scope="module")
def fitted(fit):
    """Any defense by its spec, fitted once."""
    return cache(fit)


@defenses
def test_it_declares_itself(name):
    kind = DEFENSES[name].load()
    assert isinstance(kind.info, DefenseInfo)
    assert kind.info.name == name
    assert kind.info.summary
    assert kind.info.explanation.endswith("."), "the live page explains every defense in a sentence"
    assert kind.info.summary.startswith(f"{name}:") or not kind.info.strengths(DIMENSION)
    assert all(recipe.startswith(f"{name}:") for recipe in kind.info.recipes)
    settings = [each for each in inspect.signature(kind).parameters.values() if each.name not in ("args", "kwargs")]
    assert all(each.kind is each.KEYWORD_ONLY for each in settings)
    assert kind.info.strength in (None, *(each.name for each in settings))
    assert "Guarantee:" in kind.__doc__, f"{kind.__name__} must state what it guarantees, or that it guarantees nothing"
    assert "Shapes:" in kind.__doc__
    assert ("Paper:" in kind.__doc__) == bool(kind.info.paper)


@every
def test_one_row_per_text_of_finite_float32_that_differ_from_the_original(spec, fitted, vectors):
    defended = fitted(spec).transform(vectors)
    assert len(defended) == len(vectors)
    assert defended.dtype == np.float32
    assert np.isfinite(defended).all()
    assert defended.shape != vectors.shape or not np.array_equal(defended, vectors)
    assert fitted(spec).transform(vectors[:0]).shape == (0, defended.shape[1])


@defenses
def test_noise_is_declared_as_a_secret_and_left_out_of_queries(name):
    kind = DEFENSES[name].load()
    noisy = issubclass(kind, Mechanism)
    assert (kind.info.queries != "same map") == noisy
    assert bool(kind.info.secret) or not noisy
    assert bool(kind.learned) or not kind.info.secret, "a defense that saves nothing has no secret"


def find_neighbours(queries, table, k=10):
    """The k nearest other rows of every query, by cosine; of equal ones the earlier rows."""
    queries, table = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (queries, table))
    cosines = np.round(queries.astype(np.float64) @ table.T.astype(np.float64), 6)
    np.fill_diagonal(cosines, -2)
    return [set(near) for near in np.argsort(-cosines, axis=1, kind="stable")[:, :k].tolist()]


def recall(vectors, queries, table):
    before, after = find_neighbours(vectors, vectors), find_neighbours(queries, table)
    return np.mean([len(one & other) / 10 for one, other in zip(before, after, strict=True)])


@every
def test_defended_queries_find_what_a_sweep_measures(spec, fitted, vectors):
    defense, documents = fitted(spec), [str(row) for row in range(len(vectors))]
    found = recall(vectors, defense.transform_queries(vectors), defense.transform(vectors))
    measured = UtilityTask(vectors, documents, 30, None, 0).score(defense)[0].score
    assert found == pytest.approx(measured.value, abs=0.01)


def test_only_treated_queries_find_anything_in_a_rotated_store(fitted, vectors):
    rotation = fitted("rotation")
    assert recall(vectors, rotation.transform_queries(vectors), rotation.transform(vectors)) > 0.99
    assert recall(vectors, vectors, rotation.transform(vectors)) < 0.1


@pytest.mark.parametrize("spec", RANDOM)
def test_queries_have_no_noise_and_find_more_than_noisy_ones(spec, fitted, vectors):
    defense = fitted(spec)
    queries, table = defense.transform_queries(vectors), defense.transform(vectors)
    again = np.concatenate([defense.transform_queries(vectors[start : start + 100]) for start in (0, 100, 200)])
    assert queries.tobytes() == again.tobytes(), "a query gives the same bytes, whatever its position"
    lengths = np.linalg.norm(queries, axis=1) * np.linalg.norm(vectors, axis=1)
    if not defense.get_params().get("permute") and spec in ADDED:
        assert (queries * vectors).sum(axis=1) == pytest.approx(lengths, rel=1e-5), "the direction stays"
    assert recall(vectors, queries, table) > recall(vectors, table, table) - 0.02


@every
def test_a_compact_format_is_smaller_and_loses_nothing(spec, fitted, vectors):
    defense = fitted(spec)
    code = defense.code()
    if code is None:
        with pytest.raises(InputError, match="has no compact format"):
            defense.transform_compact(vectors)
        return
    codes = defense.transform_compact(vectors)
    assert codes.shape == (len(vectors), code.columns)
    assert codes.nbytes <= defense.transform(vectors).nbytes / 4
    assert code.decode(codes).tobytes() == defense.transform(vectors).tobytes()


@every
def test_it_leaks_no_more_than_the_undefended_vectors(spec, fit, toy_pairs):
    """A linear classifier is fitted again on defended vectors. Positive control: it finds the word in the originals."""
    vectors, truth = toy_pairs[0], np.array(["bacox" in text.lower() for text in toy_pairs[1]])
    half = len(vectors) // 2

    def auc(rows):
        spread = rows[:half].std()
        classifier = RidgeClassifier(alpha=0.01).fit(rows[:half] / spread, truth[:half])
        return roc_auc_score(truth[half:], classifier.decision_function(rows[half:] / spread))

    assert auc(vectors) > 0.98
    assert auc(fit(spec, vectors[:half], truth[:half]).transform(vectors)) < auc(vectors) + 0.01


@every
def test_the_same_seed_gives_the_same_bytes(spec, fit, fitted, vectors):
    assert fit(spec).transform(vectors).tobytes() == fitted(spec).transform(vectors).tobytes()


@every
def test_a_table_in_parts_gives_the_bytes_of_the_whole(spec, fitted, vectors):
    whole = fitted(spec).transform(vectors)
    cuts = [0, 1, 8, 264, len(vectors)]
    parts = [fitted(spec).transform(vectors[a:b], start=a) for a, b in pairwise(cuts)]
    assert np.concatenate(parts).tobytes() == whole.tobytes()


@every
def test_its_input_is_not_changed(spec, fitted, vectors):
    before = vectors.copy()
    fitted(spec).transform(vectors)
    np.testing.assert_array_equal(vectors, before)


@every
def test_saved_and_loaded_it_gives_the_same_bytes(spec, fitted, vectors, tmp_path):
    save_defense(fitted(spec), tmp_path / "saved")
    loaded = load_defense(tmp_path / "saved")
    assert loaded.get_params() == fitted(spec).get_params()
    assert loaded.transform(vectors).tobytes() == fitted(spec).transform(vectors).tobytes()
    for path in (tmp_path / "saved").iterdir():
        with pytest.raises((pickle.UnpicklingError, EOFError, ValueError, KeyError, IndexError)):
            pickle.loads(path.read_bytes())  # noqa: S301


@every
def test_its_learned_arrays_are_read_only(spec, fitted):
    for name in fitted(spec).learned:
        assert not getattr(fitted(spec), name).flags.writeable


@every
def test_it_is_an_estimator_of_scikit_learn(spec, fitted, vectors, labels, pairs):
    copy = clone(fitted(spec))
    assert copy.get_params() == fitted(spec).get_params()
    with pytest.raises(NotFitted, match="before fit"):
        copy.transform(vectors)
    with pytest.raises(NotFitted, match="transform_queries was called before fit"):
        copy.transform_queries(vectors)
    pipeline = make_pipeline(copy)
    pipeline.fit(vectors, labels, **{f"{pipeline.steps[0][0]}__pairs": pairs})
    assert len(pipeline.transform(vectors)) == len(vectors)


@every
def test_invalid_vectors_are_refused(spec, fitted, vectors):
    with pytest.raises(InputError, match="63 columns, and fit was given 64"):
        fitted(spec).transform(vectors[:, :63])
    with pytest.raises(InputError, match="shape"):
        fitted(spec).transform(vectors[0])
    with pytest.raises(InputError, match="The 'start' parameter must be a whole number, at least 0"):
        fitted(spec).transform(vectors, start=-1)
    broken = vectors.copy()
    broken[7, 0] = np.nan
    with pytest.raises(InputError, match=r"1 of 300 vectors .* NaN or infinity, the first in row 7"):
        fitted(spec).transform(broken)


@pytest.mark.parametrize("spec", ADDED)
def test_no_two_rows_share_their_noise(spec, fitted, vectors):
    """Equal rows get different noise, and so do other rows at the same position: subtracting reveals nothing."""
    rows = np.stack([vectors[0], vectors[0], vectors[1]])
    defense = fitted(spec)
    noise = defense.transform(rows) - defense.transform_queries(rows)
    alone = defense.transform(vectors[1:2]) - defense.transform_queries(vectors[1:2])
    for other in (noise[1], noise[2], alone[0]):
        assert abs(np.corrcoef(noise[0], other)[0, 1]) < 0.5
    assert np.array_equal(fitted(spec).transform(rows), fitted(spec).transform(rows)), (
        "repetition averages nothing away"
    )


@pytest.mark.parametrize("spec", RANDOM)
def test_another_seed_and_none_give_other_noise(spec, fit, fitted, vectors, pairs):
    unseeded = [make_defense(spec).fit(vectors, pairs=pairs).transform(vectors[:1]).tobytes() for _ in range(2)]
    other = fit(spec, seed=1).transform(vectors[:1]).tobytes()
    assert len({*unseeded, other, fitted(spec).transform(vectors[:1]).tobytes()}) == 4


@pytest.mark.parametrize("spec", LABELLED)
def test_a_defense_that_hides_labels_requires_them(spec, vectors):
    with pytest.raises(InputError, match="hides labels and was given none"):
        make_defense(spec).fit(vectors)
