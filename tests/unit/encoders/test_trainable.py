"""A copy of an encoder whose weights can be trained."""

import numpy as np
import pytest
import torch

from tests.tiny_models import tiny_checkpoint
from vestige.encoders.load import load_encoder

TEXTS = ["the bank", "a card of the bank was lost", "money"]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return load_encoder(f"hf:{tiny_checkpoint('bert', tmp_path_factory.mktemp('bert'))}@mean")


def test_it_begins_as_the_encoder_and_training_it_leaves_the_encoder_alone(encoder):
    before, copy = encoder.encode(TEXTS), encoder.copy_trainable()
    assert np.allclose(copy.encode(TEXTS), before, atol=1e-5)
    optimiser = torch.optim.SGD(copy.parameters(), lr=0.1)
    copy.forward(TEXTS).sum().backward()
    optimiser.step()
    assert not np.allclose(copy.encode(TEXTS), before, atol=1e-3)
    assert (encoder.encode(TEXTS) == before).all()
    assert copy.encode([]).shape == (0, copy.dimension)
