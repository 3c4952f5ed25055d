"""Secret maps are obscurity: they stop only an adversary without pairs."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score

from tests.unit.defenses.adaptive import defend, leak
from vestige.attacks.attributes.inference import AttributeInference
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError


def test_a_rotation_hides_nothing_from_an_adversary_who_is_fitted_again(keyword_case):
    assert leak("rotation", keyword_case) > 0.97


def test_a_rotation_stops_only_an_adversary_without_pairs(keyword_case):
    vectors, labels = keyword_case
    turned = defend("rotation", vectors, labels)
    half = len(vectors) // 2
    classifier = RidgeClassifier(alpha=0.01).fit(vectors[:half], labels[:half])
    assert roc_auc_score(labels[half:], classifier.decision_function(turned[half:])) < 0.7
    matrix = np.linalg.lstsq(vectors[:70], turned[:70], rcond=None)[0]
    np.testing.assert_allclose(turned @ np.linalg.inv(matrix), vectors, atol=1e-4)


def test_attribute_inference_works_on_rotated_vectors(keyword_case):
    vectors, labels = keyword_case
    half = len(vectors) // 2
    names = np.where(labels, "yes", "no").tolist()

    def accuracy(rows):
        attack = AttributeInference().fit(rows[:half], names[:half], rng=np.random.default_rng(0))
        guesses = attack.infer(rows[half:])
        return np.mean(np.array(guesses.labels)[guesses.probabilities.argmax(axis=1)] == np.array(names[half:]))

    assert accuracy(vectors) > 0.9
    assert accuracy(defend("rotation", vectors, labels)) > 0.9


@pytest.mark.parametrize("spec", ["permutation", "tenant:acme"])
def test_other_keyed_maps_hide_nothing_either_and_keep_all_cosines(spec, keyword_case):
    vectors, labels = keyword_case
    turned = defend(spec, vectors, labels)
    np.testing.assert_allclose(turned @ turned.T, vectors @ vectors.T, atol=1e-3)
    assert leak(spec, keyword_case) > 0.97


def test_a_signed_permutation_has_every_column_once(keyword_case):
    vectors = keyword_case[0][:50]
    turned = make_defense("permutation").fit(vectors, rng=np.random.default_rng(0)).transform(vectors)
    assert not np.array_equal(turned, vectors)
    assert sorted(map(tuple, np.abs(turned.T))) == sorted(map(tuple, np.abs(vectors.T)))


def test_tenants_have_rotations_of_their_own_from_one_secret(keyword_case):
    vectors = keyword_case[0][:100]
    acme = make_defense("tenant:acme").fit(vectors, rng=np.random.default_rng(0))
    other = acme.for_tenant("other")
    again = make_defense("tenant:other").fit(vectors, rng=np.random.default_rng(0))
    assert other.transform(vectors).tobytes() == again.transform(vectors).tobytes()
    assert other.for_tenant("acme").transform(vectors).tobytes() == acme.transform(vectors).tobytes()
    between = np.abs(np.sum(acme.transform(vectors) * other.transform(vectors), axis=1))
    assert (between < 0.6 * np.square(vectors).sum(axis=1)).all(), "rows of two tenants cannot be compared"
    secret = make_defense("tenant:acme").fit(vectors, rng=np.random.default_rng(1))
    assert not np.allclose(secret.transform(vectors), acme.transform(vectors), atol=0.1)
    with pytest.raises(InputError, match="must be a name"):
        acme.for_tenant(" ")


def test_cells_keep_cosines_within_a_cell_and_not_between():
    rng = np.random.default_rng(0)
    centres = 5 * np.eye(3, 64, dtype=np.float32)
    vectors = np.repeat(centres, 40, axis=0) + 0.3 * rng.standard_normal((120, 64)).astype(np.float32)
    turned = make_defense("cells:3").fit(vectors, rng=rng).transform(vectors)
    same = np.kron(np.eye(3), np.ones((40, 40))).astype(bool)
    before, after = vectors @ vectors.T, turned @ turned.T
    np.testing.assert_allclose(after[same], before[same], atol=1e-3)
    assert np.abs(after[~same] - before[~same]).mean() > 1
