"""The transformer: writing step by step equals writing at once, and each mode sees what it may see."""

import pytest
import torch

from vestige.attacks.prefix.network import RESERVED, START, NetworkShape, PrefixTransformer, sampled_loss

SHAPE = NetworkShape(tokens=RESERVED + 20, dimension=6, width=32, layers=2, heads=2, longest=12)


@pytest.fixture
def network():
    torch.manual_seed(0)
    network = PrefixTransformer(SHAPE).eval()
    for condition in (network.target, network.aim, network.rest):
        torch.nn.init.normal_(condition.each.weight, std=0.1)
    return network


def draw(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1))


TOKENS = torch.tensor([[START, 7, 9, 11], [START, 6, 6, 20]])


def test_with_a_cache_the_features_are_the_same(network):
    vectors = draw(2, 6)
    with torch.no_grad():
        whole = network.write_features(vectors, TOKENS)
        features, cache = network.begin(vectors)
        assert torch.allclose(features, whole[:, 0], atol=1e-5)
        for place in range(1, 4):
            features, cache = network.follow(vectors, TOKENS[:, place], place, cache)
            assert torch.allclose(features, whole[:, place], atol=1e-5)


def test_a_writer_sees_the_words_before_and_the_vector(network):
    vectors = draw(2, 6)
    changed = TOKENS.clone()
    changed[:, 3] = 15
    with torch.no_grad():
        before, after = network.write_features(vectors, TOKENS), network.write_features(vectors, changed)
        other = network.write_features(vectors + 1, TOKENS)
    assert torch.allclose(before[:, :3], after[:, :3], atol=1e-6)
    assert not torch.allclose(before[:, 3], after[:, 3], atol=1e-3)
    assert not torch.allclose(before[:, 0], other[:, 0], atol=1e-3)


def test_an_editor_sees_all_words_and_what_is_missing(network):
    vectors, rest = draw(2, 6), draw(2, 6)
    changed = TOKENS.clone()
    changed[:, 3] = 15
    with torch.no_grad():
        replace, insert = network.edit_features(vectors, rest, TOKENS)
        assert (replace.shape, insert.shape) == ((2, 3, 32), (2, 4, 32))
        for other in (network.edit_features(vectors, rest, changed), network.edit_features(vectors, rest + 1, TOKENS)):
            assert not torch.allclose(replace[:, 0], other[0][:, 0], atol=1e-4)
            assert not torch.allclose(insert[:, 0], other[1][:, 0], atol=1e-4)


def test_with_all_tokens_drawn_the_loss_is_the_cross_entropy(network):
    features, wanted = draw(5, 32), torch.tensor([6, 7, 7, 9, 24])
    expected = torch.nn.functional.cross_entropy(network.logits(features), wanted)
    assert sampled_loss(network, features, wanted, torch.arange(SHAPE.tokens)).item() == pytest.approx(expected.item())


def test_drawn_tokens_stand_for_the_others(network):
    """All words have the same logit: whatever is drawn, the chance of each is one over their number."""
    torch.nn.init.zeros_(network.words.weight)
    for drawn in (torch.tensor([8, 9]), torch.tensor([6, 10, 11, 12])):
        loss = sampled_loss(network, draw(3, 32), torch.tensor([6, 7, 6]), drawn)
        assert loss.item() == pytest.approx(torch.tensor(float(SHAPE.tokens)).log().item(), rel=1e-5)
