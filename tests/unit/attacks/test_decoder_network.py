"""The loss of the sentence decoders: sampled, and without padding."""

import numpy as np
import pytest
import torch

from vestige.attacks.decoder_network import (
    PAD,
    START,
    UNKNOWN,
    BidirectionalDecoder,
    ForwardDecoder,
    token_loss,
    write_greedily,
)


def test_with_every_other_token_drawn_the_sampled_loss_is_the_whole():
    torch.manual_seed(0)
    network = ForwardDecoder(4, 30, 8, 0.0)
    sentences, vectors = torch.tensor([[1, 5, 6, 2], [1, 7, 2, 0]]), torch.randn(2, 4)
    whole = token_loss(network, vectors, sentences, None)
    assert token_loss(network, vectors, sentences, torch.arange(30)).item() == pytest.approx(whole.item(), rel=1e-5)


@pytest.mark.parametrize(
    "network", [ForwardDecoder(4, 30, 8, 0.0), BidirectionalDecoder(4, 30)], ids=["one way", "both ways"]
)
def test_padding_does_not_count(network):
    """Nor is it read, which from right to left would come first."""
    vectors = torch.randn(1, 4, generator=torch.Generator().manual_seed(0))
    short, padded = torch.tensor([[1, 5, 2]]), torch.tensor([[1, 5, 2, 0, 0]])
    losses = [token_loss(network, vectors, each, None).item() for each in (short, padded)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_the_loss_of_a_uniform_decoder_by_hand():
    """A decoder whose logits are all zero gives each of 30 tokens 1/30."""
    network = ForwardDecoder(4, 30, 8, 0.0)
    torch.nn.init.zeros_(network.tokens.weight)
    loss = token_loss(network, torch.ones(1, 4), torch.tensor([[1, 5, 6, 2]]), None)
    assert loss.item() == pytest.approx(np.log(30), rel=1e-5)


def test_padding_and_unknown_words_are_never_written():
    network = ForwardDecoder(4, 10, 8, 0.0)
    torch.nn.init.zeros_(network.tokens.weight)
    with torch.no_grad():
        network.bias[[PAD, START, UNKNOWN]] = 9.0
        network.bias[7] = 5.0
    assert write_greedily(network, torch.ones(2, 4), 3).tolist() == [[7, 7, 7]] * 2
