"""LEACE against its closed form, and how well it hides a word."""

import numpy as np
import pytest

from tests.unit.defenses.adaptive import defend, leak
from vestige.attacks.attributes.inference import AttributeInference
from vestige.defenses.catalogue import make_defense
from vestige.errors import MissingExtra


def test_leace_is_the_smallest_change_in_closed_form():
    pytest.importorskip("concept_erasure")
    rng = np.random.default_rng(4)
    labels = np.arange(40) % 2
    vectors = rng.standard_normal((40, 8)) @ rng.standard_normal((8, 8)) + np.outer(labels, rng.standard_normal(8))
    centred = vectors - vectors.mean(axis=0)
    related = centred.T @ (labels - labels.mean())
    across = np.linalg.solve(centred.T @ centred, related)
    expected = vectors - np.outer(centred @ across, related) / (related @ across)
    found = make_defense("leace").fit(vectors.astype(np.float32), labels).transform(vectors.astype(np.float32))
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "concept_erasure", None)
    with pytest.raises(MissingExtra, match=r"pip install '(\.|vestige)\[leace\]'"):
        make_defense("leace").fit(np.eye(4), [0, 1, 0, 1])


def test_leace_hides_a_word_from_a_linear_classifier(keyword_case):
    assert 0.45 < leak("leace", keyword_case) < 0.55


def test_leace_hides_a_word_from_attribute_inference(keyword_case):
    vectors, labels = keyword_case
    half = len(vectors) // 2
    names = np.where(labels, "yes", "no").tolist()

    def accuracy(rows):
        attack = AttributeInference().fit(rows[:half], names[:half], rng=np.random.default_rng(0))
        guesses = attack.infer(rows[half:])
        return np.mean(np.array(guesses.labels)[guesses.probabilities.argmax(axis=1)] == np.array(names[half:]))

    assert accuracy(vectors) > 0.9
    assert 0.4 < accuracy(defend("leace", vectors, labels)) < 0.65
