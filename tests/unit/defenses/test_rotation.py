"""A rotation is obscurity: it stops only an adversary without pairs."""

import numpy as np
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score

from tests.unit.defenses.adaptive import defend, leak
from vestige.attacks.attributes.inference import AttributeInference


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
