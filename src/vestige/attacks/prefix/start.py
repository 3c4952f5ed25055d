"""The weights that a decoder begins with: those of the encoder where they are visible, or of another decoder."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from vestige.attacks.prefix.network import END, RESERVED, NetworkShape, PrefixTransformer
from vestige.text.words import tokenize
from vestige.types import TransformerBox, WhiteBox

if TYPE_CHECKING:
    from vestige.attacks.prefix.inverter import PrefixDecoder

HEAD_WIDTH = 32
LONGEST = 64
"""Places for words. A search tries texts of up to 60 words, whatever the length of those to learn from."""


def build_network(
    decoder: "PrefixDecoder", texts: Sequence[str], box: WhiteBox | None, start: "PrefixDecoder | None"
) -> PrefixTransformer:
    """A network for the words of `decoder`; the bias of a word is the logarithm of its frequency."""
    tokens = len(decoder.lexicon_.words) + RESERVED
    if start is not None:
        return _continue(start.network_, tokens, decoder, box)
    width = decoder.width
    heads = max(1, width // HEAD_WIDTH)
    shape = NetworkShape(tokens, len(decoder.map_[0]), width, decoder.layers, heads, LONGEST)
    network = PrefixTransformer(shape)
    with torch.no_grad():
        network.bias.copy_(_log_frequencies(decoder, texts))
        if box is not None:
            network.words.weight[RESERVED:] = embed_words(box, decoder.lexicon_.words, width)
        if isinstance(box, TransformerBox) and box.word_matrix.shape[1] == width and decoder.layers <= box.layers:
            _copy_encoder(network, box)
    return network


def embed_words(box: WhiteBox, words: Sequence[str], width: int) -> Tensor:
    """The encoder's input for each word, the mean where it has several pieces, in so many columns.

    Where the encoder has more columns, those are left in which its words differ most; where it has fewer, zeros follow.
    """
    matrix = box.word_matrix.detach().float()
    rows = [box.word_ids(word) for word in words]
    means = torch.stack([matrix[row].mean(dim=0) if row else torch.zeros(matrix.shape[1]) for row in rows])
    if matrix.shape[1] > width:
        means = means @ torch.linalg.svd(means, full_matrices=False).Vh[:width].T
    width = max(width, means.shape[1])
    padded: Tensor = torch.nn.functional.pad(means, (0, width - means.shape[1]))
    return padded


def _continue(
    network: PrefixTransformer, tokens: int, decoder: "PrefixDecoder", box: WhiteBox | None
) -> PrefixTransformer:
    """The weights of a fitted network, with more words."""
    shape = network.shape
    grown = PrefixTransformer(
        NetworkShape(tokens, shape.dimension, shape.width, shape.layers, shape.heads, shape.longest)
    )
    weights = dict(network.state_dict())
    known = shape.tokens
    with torch.no_grad():
        if box is not None and tokens > known:
            grown.words.weight[known:] = embed_words(box, decoder.lexicon_.words[known - RESERVED :], shape.width)
        rare = float(weights["bias"][RESERVED:].min())
        weights["words.weight"] = torch.cat([weights["words.weight"], grown.words.weight[known:]])
        weights["bias"] = torch.cat([weights["bias"], torch.full((tokens - known,), rare)])
    grown.load_state_dict(weights)
    return grown


def _copy_encoder(network: PrefixTransformer, box: TransformerBox) -> None:
    """Begin with the places and the first layers of the encoder: they know how words combine."""
    places, scale, shift = box.first_states()
    network.places.weight[: len(places)] = places[: network.shape.longest]
    network.first.weight.copy_(scale)
    network.first.bias.copy_(shift)
    for number, block in enumerate(network.blocks):
        own = dict(block.named_parameters())
        for name, values in box.layer_weights(number).items():
            own[name].copy_(values)


def _log_frequencies(decoder: "PrefixDecoder", texts: Sequence[str]) -> Tensor:
    counts = np.full(len(decoder.lexicon_.words) + RESERVED, 0.5)
    for text in texts:
        np.add.at(counts, decoder.number(tokenize(text)), 1)
        counts[END] += 1
    return torch.from_numpy(np.log(counts / counts.sum())).float()
