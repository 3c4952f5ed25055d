"""Samples of a network, and the sample that agrees most with the others."""

import numpy as np
import torch

from vestige.attacks.prefix.network import END, RESERVED, NetworkShape, PrefixTransformer
from vestige.attacks.prefix.writing import choose_consensus, write_samples

SHAPE = NetworkShape(tokens=RESERVED + 20, dimension=6, width=32, layers=1, heads=2, longest=9)


def build_network():
    torch.manual_seed(0)
    network = PrefixTransformer(SHAPE).eval()
    torch.nn.init.normal_(network.words.weight, std=0.3)
    torch.nn.init.normal_(network.target.each.weight, std=0.3)
    return network


def test_samples_are_words_and_depend_on_their_own_vector_alone():
    inputs = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)
    drawn = write_samples(build_network(), inputs, 5, seed=0)
    assert [len(samples) for samples in drawn] == [5] * 4
    assert all(RESERVED <= token < SHAPE.tokens for samples in drawn for text in samples for token in text)
    assert len({text for samples in drawn for text in samples}) > 10
    assert write_samples(build_network(), inputs[::-1].copy(), 5, seed=0) == drawn[::-1]


def test_the_first_sample_is_greedy():
    network = build_network()
    with torch.no_grad():
        network.bias[RESERVED + 3] = 30.0
    inputs = np.zeros((1, 6), np.float32)
    assert write_samples(network, inputs, 2, seed=0)[0][0] == (RESERVED + 3,) * (SHAPE.longest - 1)
    with torch.no_grad():
        network.bias[END] = 60.0
    assert write_samples(network, inputs, 2, seed=0)[0] == [(), ()]


def test_the_consensus_shares_most_with_the_others():
    """(1, 2, 3) shares 2/3 with each of its two neighbours, which share 1/3 with each other."""
    assert choose_consensus([(1, 2, 9), (1, 2, 3), (8, 2, 3)]) == (1, 2, 3)
    assert choose_consensus([(), (4,), (4,)]) == (4,)
