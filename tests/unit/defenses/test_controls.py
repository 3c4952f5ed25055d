"""Each defense with its positive control: a keyword is read from vectors, and less well from defended ones.

The attack is fitted again on defended vectors: the adversary knows the defense.
"""

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

from vestige.attacks.attributes.inference import AttributeInference
from vestige.defenses.catalogue import DEFENSES, make_defense


@pytest.fixture(scope="module")
def case(toy_pairs):
    """Vectors, and which texts hold a frequent word."""
    vectors, texts = toy_pairs
    return vectors, np.array(["bacox" in text.lower() for text in texts])


def told(vectors, labels):
    """How well a linear classifier, fitted on the first half, ranks the second: 0.5 by chance."""
    half = len(vectors) // 2
    reader = RidgeClassifier(alpha=0.01).fit(vectors[:half], labels[:half])
    return roc_auc_score(labels[half:], reader.decision_function(vectors[half:]))


def defended(spec, vectors, labels):
    needed = DEFENSES[spec.partition(":")[0]].needs
    if needed:
        pytest.importorskip(needed)
    half = len(vectors) // 2
    return make_defense(spec).fit(vectors[:half], labels[:half], rng=np.random.default_rng(0)).transform(vectors)


def test_the_word_is_read_from_vectors_and_not_from_shuffled_labels(case):
    vectors, labels = case
    assert told(vectors, labels) > 0.98
    assert told(vectors, np.random.default_rng(0).permutation(labels)) < 0.55


@pytest.mark.parametrize(
    ("spec", "low", "high"),
    [
        ("rounding:0", 0.45, 0.55),
        ("laplace:1,sens=1", 0.45, 0.55),
        ("gaussian:1", 0.45, 0.57),
        ("metric:10", 0.45, 0.7),
        ("vmf:10", 0.45, 0.7),
        ("subspace", 0.45, 0.55),
        ("leace", 0.45, 0.55),
        ("projection:4", 0.6, 0.85),
        ("pca:1", 0.6, 0.85),
        ("autoencoder:4,epochs=10", 0.6, 0.95),
        ("binary", 0.9, 0.97),
        ("pq:2,bits=2", 0.6, 0.9),
    ],
)
def test_a_defense_that_is_strong_enough_hides_it(spec, low, high, case):
    vectors, labels = case
    assert low < told(defended(spec, vectors, labels), labels) < high


@pytest.mark.parametrize(
    "spec", ["rounding:1", "laplace:100,sens=1", "metric:500", "vmf:500", "rotation", "int8", "pca:16"]
)
def test_a_defense_that_is_weak_hides_nothing(spec, case):
    vectors, labels = case
    assert told(defended(spec, vectors, labels), labels) > 0.97


def test_the_scatter_as_published_hides_a_word_only_by_chance(case):
    """Most spread is not where the word is: more is projected out than between the classes, and it can be read on."""
    vectors, labels = case
    between = defended("subspace", vectors, labels)
    within = defended("subspace:0.1,scatter=within,norm=true", vectors, labels)
    assert np.linalg.norm(within - vectors, axis=1).mean() > 2 * np.linalg.norm(between - vectors, axis=1).mean()
    assert told(within, labels) > 0.95 > told(between, labels) + 0.3


def test_a_rotation_stops_only_an_adversary_who_has_no_pairs(case):
    vectors, labels = case
    turned = defended("rotation", vectors, labels)
    half = len(vectors) // 2
    reader = RidgeClassifier(alpha=0.01).fit(vectors[:half], labels[:half])
    assert roc_auc_score(labels[half:], reader.decision_function(turned[half:])) < 0.7
    matrix = np.linalg.lstsq(vectors[:70], turned[:70], rcond=None)[0]
    np.testing.assert_allclose(turned @ np.linalg.inv(matrix), vectors, atol=1e-4)


@pytest.mark.parametrize(("spec", "low", "high"), [("leace", 0.4, 0.65), ("rotation", 0.9, 1)])
def test_attribute_inference_meets_the_defenses(spec, low, high, case):
    vectors, labels = case
    half = len(vectors) // 2
    names = np.where(labels, "yes", "no").tolist()

    def accuracy(rows):
        attack = AttributeInference().fit(rows[:half], names[:half], rng=np.random.default_rng(0))
        guesses = attack.infer(rows[half:])
        return np.mean(np.array(guesses.labels)[guesses.probabilities.argmax(axis=1)] == np.array(names[half:]))

    assert accuracy(vectors) > 0.9
    assert low < accuracy(defended(spec, vectors, labels)) < high


def test_our_mapping_hides_what_neither_a_projection_nor_the_published_mapping_does():
    """Class 1 lies higher on one axis, which any reader sees, and wider on another, which a linear one does not."""
    labels = np.arange(600) % 2
    vectors = np.random.default_rng(0).standard_normal((600, 4)).astype(np.float32)
    vectors[:, 0] += 3 * labels
    vectors[:, 1] *= np.where(labels, 3, 0.3)

    def told_by_neighbours(rows):
        rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
        reader = KNeighborsClassifier(15).fit(rows[:300], labels[:300])
        return roc_auc_score(labels[300:], reader.predict_proba(rows[300:])[:, 1])

    projected, published, ours = (
        defended(spec, vectors, labels)
        for spec in ("subspace", "ppm:0.3,rounds=200,rate=0.005,recipe=pan", "ppm:0.3,rounds=200,rate=0.005")
    )
    assert told(vectors, labels) > 0.95
    assert told(published, labels) > 0.9
    assert max(told(projected, labels), told(ours, labels)) < 0.6
    assert min(told_by_neighbours(rows) for rows in (vectors, projected, published)) > 0.85
    assert told_by_neighbours(ours) < 0.65
