"""The contract of every white box."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from tests.encoder_factories import LEARNERS, NAMES, SHARED, encoder_factories
from tests.tiny_models import TOKENIZERS
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.metered import Metered
from vestige.encoders.white_box import white_box
from vestige.errors import InputError

ENGLISH, TOY = "The bank closed my account.", "Bacox dufex gikax bacox."
WHITE_BOXES = [
    "minilm",
    "minilm bf16",
    "cached minilm",
    "metered minilm",
    "wordllama",
    "glove-6b",
    "word2vec",
    "fasttext",
    "glove",
    "dual:lstm",
    "dual:transformer",
    *SHARED,
    *(f"hf {kind}" for kind in TOKENIZERS),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("encoders")


@pytest.fixture(params=WHITE_BOXES, scope="module")
def opened(request, folder):
    """An encoder, its white box, and the words of a text that it knows."""
    encoder = encoder_factories(folder)[request.param]()
    box = white_box(encoder)
    text = TOY if request.param in LEARNERS else ENGLISH
    return encoder, box, text


def _word_vectors(box, text):
    return box.word_matrix[torch.tensor([box.word_ids(text)])].float()


def test_the_words_of_a_text_give_its_embedding(opened):
    encoder, box, text = opened
    embedded = box.embed(_word_vectors(box, text)).numpy()
    known = encoder.encode([text])
    assert np.abs(embedded - known).max() < (0.02 if getattr(encoder, "precision", "") == "bf16" else 1e-5)


def test_there_is_a_word_a_row(opened):
    _, box, text = opened
    assert len(box.words) == len(box.word_matrix)
    assert box.word_ids(text)
    assert max(box.word_ids(text)) < len(box.words)


def test_a_gradient_flows_from_the_embedding_to_soft_words(opened):
    _, box, text = opened
    soft = _word_vectors(box, text).clone().requires_grad_()
    box.embed(soft)[:, 0].sum().backward()
    assert soft.grad is not None
    assert torch.isfinite(soft.grad).all()
    assert soft.grad.abs().sum() > 0


def test_every_layer_can_be_read(opened):
    _, box, text = opened
    words = _word_vectors(box, text)
    states = [box.embed(words, layer=layer) for layer in range(box.layers + 1)]
    assert all(len(state) == 1 and torch.isfinite(state).all() for state in states)
    assert torch.allclose(states[0], words.mean(dim=1), atol=1e-5)
    assert all((one != other).any() for one, other in pairwise(states[1:]))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WHITE_BOXES])
def test_a_black_box_says_so(name, folder):
    with pytest.raises(InputError, match="is a black box: texts go in, vectors come out"):
        white_box(encoder_factories(folder)[name]())


def test_a_wrapper_hides_nothing(minilm, tmp_path):
    wrapped = Metered(CachedEncoder(minilm, tmp_path))
    assert white_box(wrapped).words == white_box(minilm).words
