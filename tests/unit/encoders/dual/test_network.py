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


def vaswani_layer(weights, states, heads):
    """The layer of Vaswani et al. 2017 in numpy, for one text."""
    width = states.shape[1]
    queries, keys, values = np.split(states @ weights["self_attn.in_proj_weight"].T, 3, axis=1)
    mixed = []
    for head in np.split(np.arange(width), heads):
        scores = np.exp(queries[:, head] @ keys[:, head].T / np.sqrt(len(head)))
        mixed.append(scores / scores.sum(axis=1, keepdims=True) @ values[:, head])
    states = standardize(states + np.hstack(mixed) @ weights["self_attn.out_proj.weight"].T)
    hidden = np.maximum(states @ weights["linear1.weight"].T + weights["linear1.bias"], 0)
    return standardize(states + hidden @ weights["linear2.weight"].T + weights["linear2.bias"])


def standardize(states):
    return (states - states.mean(axis=1, keepdims=True)) / np.sqrt(states.var(axis=1, keepdims=True) + 1e-5)


def test_the_published_transformer_is_that_of_vaswani():
    """sqrt(d) times the words plus unscaled sinusoids, norms after the sums, 4d units, then the mean."""
    torch.manual_seed(0)
    network = DualNetwork(DualShape("transformer", 8, 2, 2, 256, normed=False, block="vaswani"), 20, dropout=0.1).eval()
    ids = torch.tensor([[3, 1, 4]])
    with torch.no_grad():
        found = network(network.words(ids))[0].numpy()
        words = network.words(ids)[0].numpy()
    angles = np.array([[place / 10_000 ** (pair / 4) for pair in range(4)] for place in range(3)])
    positions = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(3, 8)
    states = np.sqrt(8) * words + positions
    for layer in network.layers:
        weights = {name: weight.numpy() for name, weight in layer.state_dict().items()}
        assert weights["linear1.weight"].shape == (32, 8)
        states = vaswani_layer(weights, states, heads=2)
    assert found == pytest.approx(states.mean(axis=0), abs=1e-5)


def test_the_published_weights_are_drawn_and_ours_start_as_the_identity():
    published, ours = (
        DualNetwork(DualShape("transformer", 16, 1, 4, 256, normed=False, block=block), 20).eval()
        for block in ("vaswani", "identity")
    )
    words = torch.randn(1, 5, 16, generator=torch.Generator().manual_seed(0))
    layer = published.layers[0]
    bound = (6 / (16 + 64)) ** 0.5
    assert 0.9 * bound < layer.linear1.weight.abs().max() <= bound
    assert layer.self_attn.out_proj.weight.abs().min() > 0
    assert torch.equal(ours.layers[0](words, None), words)
    assert not torch.allclose(layer(words, None), words)


def test_dropout_reaches_the_published_layers():
    network = DualNetwork(DualShape("transformer", 16, 1, 4, 256, normed=False, block="vaswani"), 20, dropout=0.1)
    rates = {module.p for module in network.modules() if isinstance(module, torch.nn.Dropout)}
    assert rates == {0.1}


def test_standard_words_do_not_depend_on_their_rarity():
    texts = [[1, 2 + row % 4] for row in range(40)]
    words = initialize_words(texts, 5000, 30, "standard", np.random.default_rng(0))
    assert words.std() == pytest.approx(1, rel=0.01)
    assert np.linalg.norm(words[1]) == pytest.approx(np.sqrt(30), rel=0.5)
