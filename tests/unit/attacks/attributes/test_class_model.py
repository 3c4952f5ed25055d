import numpy as np
import pytest
from scipy.stats import multivariate_normal

from vestige.attacks.attributes.class_model import (
    DEFAULT,
    ClassDirections,
    ClassMoments,
    Fold,
    Folds,
    choose_settings,
    log_prior,
)


def test_the_loss_is_that_of_scikit_learn(world):
    from scipy.special import softmax
    from sklearn.metrics import log_loss

    classes = np.repeat(np.arange(12), 15)
    fold = Fold(
        ClassMoments.build(world.vectors, classes, 12), world.targets[:50], classes[:50], world.vectors, classes
    )
    evidence = np.random.default_rng(0).standard_normal((50, 12)).astype(np.float32)
    expected = log_loss(classes[:50], softmax(0.3 * evidence - np.log(12), axis=1), labels=range(12), normalize=False)
    assert fold.loss(evidence, 0.3) == pytest.approx(expected, rel=1e-5)


def test_the_prior_is_how_frequent_classes_are():
    assert np.exp(log_prior(np.array([1, 3]))) == pytest.approx([0.25, 0.75])


def test_little_shrinkage_for_many_texts_and_no_trust_in_noise():
    rng = np.random.default_rng(0)
    classes = np.repeat(np.arange(12), 200)
    spread = np.linspace(0.2, 3, 20)
    means = rng.standard_normal((12, 20))
    many = (means[classes] + spread * rng.standard_normal((2400, 20))).astype(np.float32)
    assert choose_settings(Folds.split(many, classes, rng=rng)).settings.shrinkage == 0.1
    assert choose_settings(Folds.split(many, classes, rng=rng)).strength.value > 0.8
    noise = rng.standard_normal((36, 20)).astype(np.float32)
    assert choose_settings(Folds.split(noise, np.repeat(np.arange(12), 3), rng=rng)).strength.value < 0.1


def test_with_nothing_to_fold_settings_are_the_usual_ones():
    vectors = np.eye(3, dtype=np.float32)
    assert choose_settings(Folds.split(vectors, np.array([0, 0, 1]), rng=np.random.default_rng(0))).settings == DEFAULT


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    classes = np.repeat(np.arange(6), [2, 3, 4, 5, 6, 9])
    vectors = rng.standard_normal((6, 3))[classes] * 3 + rng.standard_normal((29, 3)) @ rng.standard_normal((3, 3))
    return vectors.astype(np.float32), classes


def test_moments_by_hand():
    vectors = np.array([[0, 0], [2, 0], [4, 3]], dtype=np.float32)
    found = ClassMoments.build(vectors, np.array([1, 1, 0]), 2)
    assert found.mean.tolist() == [2, 1]
    assert found.counts.tolist() == [1, 2]
    assert found.means.tolist() == [[2, 2], [-1, -1]]
    assert found.within.tolist() == [[2, 0], [0, 0]]


def test_axes_make_the_scatter_within_round_and_that_between_diagonal(sample):
    moments = ClassMoments.build(*sample, 6)
    directions = ClassDirections.build(moments, 0.3)
    within = 0.7 * moments.within + 0.3 * np.trace(moments.within) / 3 * np.eye(3)
    between = (moments.means.T * moments.counts) @ moments.means / 29
    assert directions.axes.T @ within @ directions.axes == pytest.approx(np.eye(3), abs=1e-9)
    assert directions.axes.T @ between @ directions.axes == pytest.approx(np.diag(directions.spread), abs=1e-9)


@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_evidence_is_the_density_of_one_more_text_given_those_of_the_class(sample, weight):
    """Conditioned by the rule for joint Gaussians: the mean of n texts is b + w / n, the new one b + w."""
    vectors, classes = sample
    moments = ClassMoments.build(vectors, classes, 6)
    directions = ClassDirections.build(moments, 0.3)
    within = 0.7 * moments.within + 0.3 * np.trace(moments.within) / 3 * np.eye(3)
    back = np.linalg.inv(directions.axes)
    spread = np.maximum(directions.spread - 5 / (29 * weight), 0)
    assert (spread > 0).sum() >= 2
    between = back.T @ np.diag(spread) @ back
    new = vectors[::3] + 0.5
    expected = []
    for count, mean in zip(moments.counts, moments.means, strict=True):
        share = between @ np.linalg.inv(between + within / (count * weight))
        expected.append(
            multivariate_normal(moments.mean + share @ mean, within + between - share @ between).logpdf(new)
        )
    found = directions.model(weight).evidence(new)
    expected = np.transpose(expected)
    assert found - found[:, :1] == pytest.approx(expected - expected[:, :1], abs=1e-3)
