"""The forward pass of BERT: which folders it serves, and that it gives what sentence-transformers gives."""

import json
import shutil

import numpy as np
import pytest

from vestige.encoders.bert import BertModel, read_shape
from vestige.encoders.load import load_encoder
from vestige.errors import InputError

pytestmark = pytest.mark.encoder

ODD = [
    "",
    "   ",
    "é😀 naïve \u200b x",
    "UPPER lower",
    "一二三 abc",
    "a" * 500,
    "word " * 600,
    "\x00\x01",
    "[CLS] [MASK]",
]


@pytest.fixture
def folder(minilm, tmp_path):
    return shutil.copytree(minilm.folder, tmp_path / "model")


def change(folder, name, **settings):
    path = folder / name
    path.write_text(json.dumps({**json.loads(path.read_text()), **settings}))


def test_the_default_encoder_is_of_this_shape(minilm):
    shape = read_shape(minilm.folder)
    assert (shape.width, shape.heads, shape.layers, shape.longest) == (384, 12, 6, 256)
    assert (shape.pooling, shape.unit_length) == ("mean", True)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("config.json", {"model_type": "mpnet"}),
        ("config.json", {"hidden_act": "relu"}),
        ("config.json", {"position_embedding_type": "relative_key"}),
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}),
        ("1_Pooling/config.json", {"pooling_mode_mean_tokens": False, "pooling_mode_max_tokens": True}),
        ("sentence_bert_config.json", {"do_lower_case": True}),
        ("config_sentence_transformers.json", {"default_prompt_name": "query", "prompts": {"query": "query: "}}),
    ],
)
def test_a_model_that_needs_more_is_left_to_sentence_transformers(folder, name, settings):
    assert read_shape(folder) is not None
    change(folder, name, **settings)
    assert read_shape(folder) is None


@pytest.mark.parametrize("pooling", ["pooling_mode_mean_tokens", "pooling_mode_cls_token"])
def test_vectors_are_those_of_sentence_transformers(folder, pooling):
    from sentence_transformers import SentenceTransformer

    change(folder, "1_Pooling/config.json", pooling_mode_mean_tokens=False)
    change(folder, "1_Pooling/config.json", **{pooling: True})
    theirs = SentenceTransformer(str(folder), device="cpu").encode(ODD)
    ours = load_encoder(f"st:{folder}").encode(ODD)
    assert np.abs(ours - theirs).max() < 1e-6


def test_a_vector_has_the_same_bits_in_any_pack(minilm):
    texts = [" ".join(["word"] * length) for length in (1, 2, 2, 7, 30, 30, 31, 200)] + ODD
    together = minilm.encode(texts)
    assert (minilm.encode(texts[::-1])[::-1] == together).all()
    assert (np.concatenate([minilm.encode([text]) for text in texts]) == together).all()
    assert (np.concatenate([minilm.encode(texts[start : start + 3]) for start in range(0, 17, 3)]) == together).all()


def test_weights_that_are_missing_or_damaged_are_noticed(folder):
    from safetensors.numpy import load_file, save_file

    path = folder / "model.safetensors"
    weights = load_file(path)
    assert BertModel(folder, read_shape(folder)).is_complete
    del weights["encoder.layer.3.output.dense.bias"]
    save_file(weights, path)
    assert not BertModel(folder, read_shape(folder)).is_complete
    with pytest.raises(InputError, match=r"lacks 1 of its model's weights, encoder.layer.3.output.dense.bias"):
        load_encoder(f"st:{folder}").encode(["one"])
    path.write_bytes(b"no weights")
    with pytest.raises(InputError, match="does not load as a sentence-transformers model"):
        load_encoder(f"st:{folder}").encode(["one"])


def test_a_text_is_truncated_after_so_many_tokens(minilm):
    long = "bank " * 300
    assert len(minilm.white_box().word_ids(long)) == 254
    assert (minilm.truncate_at(10).encode([long]) == minilm.truncate_at(10).encode(["bank " * 8])).all()
