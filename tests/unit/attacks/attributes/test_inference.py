from dataclasses import asdict

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import threadpool_info

from tests.unit.attacks.attributes.conftest import AUTHORS
from vestige.attacks.attributes.class_model import choose_settings
from vestige.attacks.attributes.inference import AttributeInference, MajorityLabel
from vestige.errors import InputError, NotFitted

RECIPES = ("default", "song")
CHANCE = 1 / len(AUTHORS)


def fitted(world, recipe="default", *, vectors=None, labels=None, seed=0, **given):
    return AttributeInference(recipe=recipe).fit(
        world.vectors if vectors is None else vectors,
        world.labels if labels is None else labels,
        rng=np.random.default_rng(seed),
        **given,
    )


@pytest.mark.parametrize(("recipe", "least"), [("default", 0.85), ("song", 0.2)])
def test_authors_are_inferred(recipe, least, world):
    guesses = fitted(world, recipe).infer(world.targets)
    assert guesses.labels == AUTHORS
    assert guesses.probabilities.shape == (len(world.targets), len(AUTHORS))
    assert guesses.probabilities.sum(axis=1) == pytest.approx(1)
    assert world.accuracy(guesses) > least


@pytest.mark.parametrize("recipe", RECIPES)
def test_shuffled_labels_teach_nothing(recipe, world):
    shuffled = list(np.random.default_rng(5).permutation(world.labels))
    assert world.accuracy(fitted(world, recipe, labels=shuffled).infer(world.targets)) < 2.2 * CHANCE


def test_shuffled_labels_are_not_believed(world):
    shuffled = list(np.random.default_rng(5).permutation(world.labels))
    assert fitted(world, labels=shuffled).infer(world.targets).probabilities.max() < 2.5 * CHANCE


def test_probabilities_are_how_often_the_guess_is_right(world):
    guesses = fitted(world).infer(world.targets)
    assert guesses.probabilities.max(axis=1).mean() == pytest.approx(world.accuracy(guesses), abs=0.06)


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_same_seed_gives_the_same_bytes(recipe, world):
    once, again = (fitted(world, recipe).infer(world.targets).probabilities for _ in range(2))
    assert once.tobytes() == again.tobytes()


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_guess_depends_on_its_own_vector_alone(recipe, world):
    attack = fitted(world, recipe)
    together = attack.infer(world.targets).probabilities
    assert np.allclose(attack.infer(world.targets[::-1]).probabilities[::-1], together, atol=1e-6)
    assert np.allclose(attack.infer(world.targets[7:8]).probabilities, together[7:8], atol=1e-6)
    assert attack.infer(world.targets[:0]).probabilities.shape == (0, len(AUTHORS))


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("nothing", [None, float("nan"), np.float64("nan"), "", "  "])
def test_rows_without_a_label_are_left_out_and_counted(recipe, nothing, world):
    labels = [nothing if row % 5 == 0 else label for row, label in enumerate(world.labels)]
    rows = [row for row in range(len(labels)) if row % 5]
    some = fitted(world, recipe, labels=labels)
    without = fitted(world, recipe, vectors=world.vectors[rows], labels=[world.labels[row] for row in rows])
    assert some.missing_ == len(labels) - len(rows)
    assert some.labels_ == AUTHORS
    assert (some.infer(world.targets).probabilities == without.infer(world.targets).probabilities).all()


@pytest.mark.parametrize("recipe", RECIPES)
def test_labels_that_teach_nothing_are_refused(recipe, world):
    rows = len(world.labels)
    with pytest.raises(InputError, match=r"all labels are 'me'; expected two classes"):
        fitted(world, recipe, labels=["me"] * rows)
    with pytest.raises(InputError, match="none of 180 texts has a label"):
        fitted(world, recipe, labels=[None] * rows)
    with pytest.raises(InputError, match=r"each of the 180 classes has one text.*give two or more"):
        fitted(world, recipe, labels=[str(row) for row in range(rows)])
    with pytest.raises(InputError, match=r"the label of row 1 is 41\.5, a float.*ranges such as"):
        fitted(world, recipe, labels=[None, 41.5, *world.labels[2:]])
    with pytest.raises(InputError, match="180 vectors but 179 labels"):
        fitted(world, recipe, labels=world.labels[1:])
    with pytest.raises(InputError, match="180 vectors but 3 documents"):
        fitted(world, recipe, documents=["a"] * 3)


def test_a_class_may_have_one_text(world):
    rows = [row for row, label in enumerate(world.labels) if label != AUTHORS[0] or row == 0]
    guesses = fitted(world, vectors=world.vectors[rows], labels=[world.labels[row] for row in rows]).infer(
        world.targets
    )
    assert guesses.labels == AUTHORS
    rare = guesses.probabilities[:, 0]
    assert rare[:20].mean() > 2 * rare[20:].mean()


def test_a_handful_of_texts_is_enough_to_run():
    vectors = np.array([[0, 0], [1, 0], [5, 5]], dtype=np.float32)
    attack = AttributeInference().fit(vectors, ["a", "a", "b"], rng=np.random.default_rng(0))
    assert attack.infer(vectors).probabilities.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("recipe", RECIPES)
def test_vectors_that_are_all_the_same_give_the_prior(recipe, world):
    same = np.ones_like(world.vectors)
    found = fitted(world, recipe, vectors=same, labels=["a"] * 60 + ["b"] * 120).infer(same[:2]).probabilities
    assert found[0] == pytest.approx([1 / 3, 2 / 3], abs=0.05)


def test_more_columns_than_texts(world):
    wide = np.hstack([world.vectors, 0.1 * np.random.default_rng(1).standard_normal((180, 300)).astype(np.float32)])
    wide_targets = np.hstack([world.targets, np.zeros((240, 300), np.float32)])
    assert world.accuracy(fitted(world, vectors=wide).infer(wide_targets)) > 0.4


def test_documents_lower_the_trust_in_evidence(world):
    """Copies of a text are no proof: with documents named, the strength is that for texts of other documents."""
    rng = np.random.default_rng(2)
    few = [row for row in range(180) if row % 15 < 4]
    vectors = np.repeat(world.vectors[few], 4, axis=0) + 0.01 * rng.standard_normal((192, 20)).astype(np.float32)
    labels = np.repeat([world.labels[row] for row in few], 4).tolist()
    documents = np.repeat([str(row) for row in few], 4).tolist()
    apart = fitted(world, vectors=vectors, labels=labels, documents=documents)
    assert apart.choice_.strength.value < 0.5 * fitted(world, vectors=vectors, labels=labels).choice_.strength.value


def test_a_recipe_that_is_none_and_an_attack_that_was_not_fitted(world):
    with pytest.raises(InputError, match="'recipe' parameter must be 'default' or 'song'"):
        fitted(world, "paper")
    with pytest.raises(NotFitted, match="fit"):
        AttributeInference().infer(world.targets)
    with pytest.raises(InputError, match="19 columns, and fit was given 20"):
        fitted(world).infer(world.targets[:, 1:])
    with pytest.raises(InputError, match="NaN or infinity"):
        fitted(world, vectors=np.full_like(world.vectors, np.nan))


def test_the_prior_is_the_shares(world):
    found = MajorityLabel().fit(["b", "a", "b", None, "b"]).infer(world.targets[:2])
    assert asdict(found)["labels"] == ("a", "b")
    assert found.probabilities.tolist() == [[0.25, 0.75], [0.25, 0.75]]
    with pytest.raises(NotFitted):
        MajorityLabel().infer(world.targets)


def test_the_epochs_of_the_published_training_can_be_set_and_its_log_counts_them(world):
    short, long = (
        AttributeInference(recipe="song", epochs=epochs).fit(world.vectors, world.labels, rng=np.random.default_rng(0))
        for epochs in (2, 60)
    )
    assert (short.log_.converged, short.log_.steps) == (False, 2)
    assert long.log_.steps == 60
    assert long.log_.curve[-1][1] < short.log_.curve[-1][1]
    with pytest.raises(InputError, match="'epochs' parameter must be omitted with recipe 'default'"):
        AttributeInference(epochs=3).fit(world.vectors, world.labels, rng=np.random.default_rng(0))
    with pytest.raises(InputError, match="'device' parameter"):
        AttributeInference(recipe="song", device="abacus").fit(
            world.vectors, world.labels, rng=np.random.default_rng(0)
        )


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_sparse_table_is_the_same_as_its_dense_one(recipe, world):
    table = np.where(np.abs(world.vectors) > 0.2, world.vectors, 0)
    dense = fitted(world, recipe, vectors=table).infer(table).probabilities
    attack = fitted(world, recipe, vectors=sparse.csr_array(table))
    assert np.allclose(attack.infer(sparse.csr_array(table)).probabilities, dense, atol=1e-5)


def test_small_products_are_not_shared_by_threads_that_would_spin(world, monkeypatch):
    threads = set()

    def watch(folds, progress):
        threads.update(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")
        return choose_settings(folds, progress)

    monkeypatch.setattr("vestige.attacks.attributes.inference.choose_settings", watch)
    fitted(world)
    assert threads == {1}
