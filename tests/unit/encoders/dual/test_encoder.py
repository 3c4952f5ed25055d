import numpy as np
import torch

from tests.unit.encoders.dual.conftest import TEXTS, topical
from vestige.encoders.dual.encoder import DualEncoder


def test_vectors_are_the_same_bits_alone_in_any_order_and_in_any_batch(encoder):
    texts = TEXTS + topical(40, seed=4).sentences(1, 100).texts
    vectors = encoder.encode(texts)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert (encoder.encode(texts[::-1])[::-1] == vectors).all()
    assert (vectors[0] == vectors[5]).all()
    for row, text in enumerate(texts[:20]):
        assert (encoder.encode([text])[0] == vectors[row]).all()


def test_nothing_to_encode_gives_no_rows(encoder):
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_words_past_the_longest_are_not_read(encoder):
    assert (encoder.encode(["ship " * 256]) == encoder.encode(["ship " * 256 + "t1a1 " * 50])).all()


def test_the_state_makes_the_encoder_again(encoder):
    again = DualEncoder.from_state(encoder.state())
    assert again.identity == encoder.identity
    assert again.name == encoder.name
    assert (again.encode(TEXTS) == encoder.encode(TEXTS)).all()


def test_the_white_box_gives_what_encode_gives(encoder):
    inside = encoder.white_box()
    assert len(inside.words) == len(inside.word_matrix)
    for text in [*TEXTS, "T3a1 filler2 t3b2 unheard."]:
        rows = inside.word_matrix[inside.word_ids(text)][None]
        assert np.abs(inside.embed(rows).numpy() - encoder.encode([text])).max() < 1e-5
        assert torch.equal(inside.embed(rows, layer=0), rows.mean(dim=1))
        pooled = inside.embed(rows, layer=inside.layers)
        assert torch.equal(encoder.network.norm(pooled), inside.embed(rows))


def test_a_gradient_reaches_every_soft_word_from_every_layer(encoder):
    inside = encoder.white_box()
    for layer in range(inside.layers + 1):
        soft = inside.word_matrix[torch.tensor([[1, 2, 3], [4, 5, 6]])].requires_grad_()
        inside.embed(soft, layer=layer).square().sum().backward()
        assert soft.grad.abs().sum(dim=2).min() > 0
