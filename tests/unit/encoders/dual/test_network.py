import numpy as np
import pytest
import torch

from vestige.encoders.dual.network import DualNetwork, DualShape, initialize_words


def test_padding_changes_no_vector(architecture):
    network = DualNetwork(DualShape(architecture, 16, 2, 4, 256, normed=True), 50).eval()
    texts = [[1, 2, 3], [4], [5, 6, 7, 8, 9, 10]]
    together = network.vectors(texts, places=10**6)
    for row, text in enumerate(texts):
        alone = network(network.words(torch.tensor([text])))
        assert torch.allclose(together[row], alone[0], atol=1e-5)


@pytest.mark.parametrize("start", ["random", "shared sentences"])
def test_the_rarer_a_word_the_longer_its_first_vector(start):
    texts = [[1, 2 + row % 4] for row in range(40)]
    lengths = np.linalg.norm(initialize_words(texts, 6, 3, start, np.random.default_rng(0)), axis=1)
    assert lengths[1] < lengths[2] == pytest.approx(lengths[5], rel=1e-5)
