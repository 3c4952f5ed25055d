"""The weights that a decoder begins with."""

import numpy as np
import pytest
import torch

from tests.unit.attacks.prefix.language import OrderedSum, sentences
from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.attacks.prefix.network import RESERVED
from vestige.attacks.prefix.start import embed_words
from vestige.encoders.white_box import MeanWhiteBox


def build_box(width):
    pieces = {"bank": 0, "s": 1, "film": 2}
    matrix = np.random.default_rng(0).standard_normal((3, width)).astype(np.float32)
    split = {"banks": ["bank", "s"]}
    return MeanWhiteBox(list(pieces), matrix, lambda text: [pieces[p] for p in split.get(text, [text]) if p in pieces])


def test_a_word_of_several_pieces_is_their_mean_and_an_unknown_one_zero():
    box = build_box(4)
    found = embed_words(box, ["film", "banks", "xyz"], 4)
    assert torch.equal(found[0], box.word_matrix[2])
    assert torch.allclose(found[1], box.word_matrix[:2].mean(dim=0))
    assert found[2].tolist() == [0] * 4


def test_columns_are_dropped_by_variance_or_filled_with_zeros():
    wide, narrow = build_box(8), build_box(2)
    words = ["film", "bank", "s"]
    assert embed_words(narrow, words, 4)[:, 2:].abs().max() == 0
    reduced = embed_words(wide, words, 3)
    assert torch.allclose(reduced @ reduced.T, wide.word_matrix[[2, 0, 1]] @ wide.word_matrix[[2, 0, 1]].T, atol=1e-4)


@pytest.mark.encoder
def test_the_layers_begin_as_those_of_the_encoder(minilm):
    from vestige.attacks.guided.lexicon import Lexicon
    from vestige.attacks.prefix.start import build_network

    decoder = PrefixDecoder(layers=2)
    decoder.lexicon_ = Lexicon(("film", "bank"))
    decoder.map_ = np.eye(384, dtype=np.float32)
    box = minilm.white_box()
    network = build_network(decoder, ["film bank", "bank"], box, None)
    ids = box.word_ids("film bank")
    first = box.word_matrix[ids][None]
    assert torch.equal(network.words.weight[RESERVED:], first[0])
    states = box.model.run(torch.cat([box.word_matrix[[101]][None], first], dim=1), 2)
    places = box.model.places[:3]
    begun = network.first(torch.cat([box.word_matrix[[101]][None], first], dim=1) + places)
    for block in network.blocks.eval():
        begun, _ = block(begun, False)
    assert torch.allclose(begun, states, atol=1e-4)


def test_a_training_goes_on_from_another_decoder_with_the_words_of_both():
    texts = sentences()
    vectors = OrderedSum().encode(texts)
    rng = np.random.default_rng(0)
    known = [text for text in texts if "bank" not in text]
    small = PrefixDecoder(width=32, layers=1, epochs=2)
    first = small.fit(OrderedSum().encode(known), known, rng=rng)
    assert "bank" not in first.lexicon_.index
    again = PrefixDecoder(width=32, layers=1, epochs=1).fit(vectors[:100], texts[:100], rng=rng, start=first)
    assert again.lexicon_.words[: len(first.lexicon_.words)] == first.lexicon_.words
    assert "bank" in again.lexicon_.index
    assert again.log_.curve[0][1] < first.log_.curve[0][1]
