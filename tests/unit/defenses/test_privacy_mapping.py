"""The mapping against linear and nonlinear adversaries that are fitted on its output."""

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

from tests.unit.defenses.adaptive import defend, linear_auc
from vestige.defenses.catalogue import make_defense


def test_our_recipe_hides_what_neither_a_projection_nor_the_published_recipe_does():
    """Class 1 is higher on one axis, which any classifier sees, and wider on another, which a linear one does not."""
    labels = np.arange(600) % 2
    vectors = np.random.default_rng(0).standard_normal((600, 4)).astype(np.float32)
    vectors[:, 0] += 3 * labels
    vectors[:, 1] *= np.where(labels, 3, 0.3)

    def neighbour_auc(rows):
        rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
        classifier = KNeighborsClassifier(15).fit(rows[:300], labels[:300])
        return roc_auc_score(labels[300:], classifier.predict_proba(rows[300:])[:, 1])

    projected, published, ours = (
        defend(spec, vectors, labels)
        for spec in ("subspace", "ppm:0.3,rounds=200,rate=0.005,recipe=pan", "ppm:0.3,rounds=200,rate=0.005")
    )
    assert linear_auc(vectors, labels) > 0.95
    assert linear_auc(published, labels) > 0.9
    assert max(linear_auc(projected, labels), linear_auc(ours, labels)) < 0.6
    assert min(neighbour_auc(rows) for rows in (vectors, projected, published)) > 0.85
    assert neighbour_auc(ours) < 0.65


def test_a_high_fidelity_keeps_vectors_in_place():
    rng = np.random.default_rng(0)
    vectors, labels = rng.standard_normal((200, 4)).astype(np.float32), rng.integers(2, size=200)

    def displacement(spec):
        defended = make_defense(spec).fit(vectors, labels, rng=np.random.default_rng(1)).transform(vectors)
        return np.linalg.norm(defended - vectors, axis=1).mean()

    assert displacement("ppm:100,rounds=50") < displacement("ppm:0.01,rounds=50")
