"""The white box of BERT gives what the encoder gives."""

import numpy as np
import pytest

from vestige.encoders.bert_white_box import BertWhiteBox
from vestige.errors import InputError

pytestmark = pytest.mark.encoder


def test_a_white_box_embeds_the_words_of_a_text_as_the_encoder_does(minilm):
    import torch

    box, text = minilm.white_box(), "The bank closed my account."
    assert isinstance(box, BertWhiteBox)
    soft = box.word_matrix[box.word_ids(text)][None].clone().requires_grad_()
    found = box.embed(soft)
    assert np.abs(found.detach().numpy() - minilm.encode([text])).max() < 1e-6
    found[0, 0].backward()
    assert torch.count_nonzero(soft.grad)
    assert torch.allclose(box.embed(soft, layer=0), soft.mean(dim=1))
    assert box.embed(soft, layer=6).shape == (1, 384)
    with pytest.raises(InputError, match="between 0 and 6"):
        box.embed(soft, layer=7)
