import numpy as np
import pytest

from vestige.attacks.attributes.class_kernel import KernelModel, choose_kernel
from vestige.attacks.attributes.class_model import Folds, choose_settings
from vestige.attacks.attributes.inference import AttributeInference
from vestige.attacks.kernel_ridge import PENALTY


def draw_ring(rng, rows):
    """Two classes with the same mean: opposite clusters belong together, so that no linear map separates them."""
    corners = rng.integers(4, size=rows)
    angles = corners * np.pi / 2 + 0.2 * rng.standard_normal(rows)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32), corners % 2


def test_evidence_by_hand():
    """One row of each of two classes at a right angle: K = [[1, k], [k, 1]], k = exp(-2·gamma)."""
    vectors = np.array([[2, 0], [0, 1]], dtype=np.float32)
    model = KernelModel.fit(vectors, np.array([0, 1]), 2, 0.5, 10)
    near = np.exp(-1)
    expected = (1 - near) * 0.5 / (1 - near + PENALTY) / 0.5
    assert model.evidence(vectors[:1])[0] == pytest.approx([expected, -expected], rel=1e-5)


def test_it_recovers_what_a_linear_attack_cannot():
    rng = np.random.default_rng(0)
    (vectors, classes), (targets, truth) = draw_ring(rng, 200), draw_ring(rng, 300)
    attack = AttributeInference().fit(vectors, [f"{name}" for name in classes], rng=rng)
    assert (attack.infer(targets).probabilities.argmax(axis=1) == truth).mean() > 0.95
    gaussian = choose_settings(Folds.split(vectors, classes, rng=rng)).fit(vectors, classes, 2)
    assert (gaussian.logits(targets).argmax(axis=1) == truth).mean() < 0.6


def test_gaussian_classes_keep_the_gaussian_model(world):
    classes = np.unique(world.labels, return_inverse=True)[1]
    folds = Folds.split(world.vectors, classes, rng=np.random.default_rng(0))
    kernel = choose_kernel(folds.documents)
    assert kernel is not None
    assert choose_settings(folds).strength.loss < kernel.strength.loss


def test_with_nothing_to_fold_there_is_no_kernel():
    assert choose_kernel([]) is None


def test_of_too_many_rows_an_even_sample_is_fitted():
    rng = np.random.default_rng(0)
    vectors, classes = draw_ring(rng, 500)
    model = KernelModel.fit(vectors, classes, 2, 2.0, 100)
    assert len(model.excess.rows) == 100
    assert (model.evidence(vectors).argmax(axis=1) == classes).mean() > 0.9
