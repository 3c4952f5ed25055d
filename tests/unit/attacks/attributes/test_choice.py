import numpy as np
import pytest

from vestige.attacks.attributes.choice import USUAL, Fold, choose, log_prior
from vestige.attacks.attributes.two_covariances import Moments


def test_the_loss_is_that_of_scikit_learn(world):
    from scipy.special import softmax
    from sklearn.metrics import log_loss

    classes = np.repeat(np.arange(12), 15)
    fold = Fold(Moments.of(world.vectors, classes, 12), world.targets[:50], classes[:50])
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
    assert choose(many, classes, rng=rng).settings.shrinkage == 0.1
    assert choose(many, classes, rng=rng).strength > 0.8
    noise = rng.standard_normal((36, 20)).astype(np.float32)
    assert choose(noise, np.repeat(np.arange(12), 3), rng=rng).strength < 0.1


def test_with_nothing_to_fold_settings_are_the_usual_ones():
    vectors = np.eye(3, dtype=np.float32)
    assert choose(vectors, np.array([0, 0, 1]), rng=np.random.default_rng(0)).settings == USUAL
