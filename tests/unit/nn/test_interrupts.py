"""An interrupted training raises; it does not return what it has."""

import warnings

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier

from vestige.attacks.fingerprint.verdict import EncoderClassifier
from vestige.nn.interrupts import pass_interrupts
from vestige.utility.mlp_probe import MlpProbe

VECTORS = np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)


@pytest.fixture
def interrupted(monkeypatch):
    def stop(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(MLPClassifier, "_backprop", stop)


@pytest.mark.usefixtures("interrupted")
def test_scikit_learn_swallows_an_interrupt_and_we_do_not():
    network = MLPClassifier((2,))
    with pytest.warns(UserWarning, match="interrupted"):
        network.fit(VECTORS, np.arange(60) % 2)
    with pytest.raises(KeyboardInterrupt), pass_interrupts():
        network.fit(VECTORS, np.arange(60) % 2)


@pytest.mark.usefixtures("interrupted")
def test_every_training_of_scikit_learn_can_be_interrupted():
    with pytest.raises(KeyboardInterrupt):
        MlpProbe().fit(VECTORS, ["a", "b"] * 30, rng=np.random.default_rng(0))
    with pytest.raises(KeyboardInterrupt):
        EncoderClassifier({"one": VECTORS, "two": VECTORS + 1}, np.random.default_rng(0))


def test_other_warnings_stay_warnings():
    with pytest.warns(UserWarning, match="something"), pass_interrupts():
        warnings.warn("something", UserWarning, stacklevel=1)
