import json

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

from tests.tiny_models import LAYERS, OLD, TOKENIZERS, tiny_checkpoint
from vestige.encoders import hugging_face
from vestige.encoders.hugging_face import Readout
from vestige.encoders.load import load_encoder
from vestige.encoders.white_box import white_box
from vestige.errors import InputError

TEXT = "the bank closed my account"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("tiny")
    return {kind: tiny_checkpoint(kind, root / kind) for kind in ("bert", "gpt2", "xlnet", "xlm", "roberta")}


def _states(folder, layer):
    """The hidden states that transformers itself gives."""
    from transformers import AutoModel

    tokens = AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt")
    with torch.no_grad():
        return AutoModel.from_pretrained(folder).eval()(**tokens, output_hidden_states=True).hidden_states[layer][0]


@pytest.mark.parametrize("layer", range(LAYERS + 1))
@pytest.mark.parametrize("kind", ["bert", "gpt2", "xlnet", "xlm", "roberta"])
def test_every_pooling_of_every_layer_is_that_of_transformers(folders, kind, layer):
    states = _states(folders[kind], layer)
    known = {"mean": states.mean(0), "max": states.amax(0), "last": states[-1]}
    known["cls"] = states[-1 if kind == "xlnet" else 0]
    if kind == "gpt2":
        del known["cls"]
    for pooling, expected in known.items():
        found = load_encoder(f"hf:{folders[kind]}@{pooling}:{layer}").encode([TEXT])[0]
        assert np.allclose(found, expected.numpy(), atol=1e-5), pooling


def test_the_default_is_the_mean_of_the_last_layer(folders):
    plain = load_encoder(f"hf:{folders['bert']}").encode([TEXT])
    assert (plain == load_encoder(f"hf:{folders['bert']}@mean:{LAYERS}").encode([TEXT])).all()


def test_truncation_and_readout_can_change_while_the_model_is_shared(folders):
    whole = load_encoder(f"hf:{folders['bert']}")
    whole.encode([TEXT])
    tokens = AutoTokenizer.from_pretrained(folders["bert"])(TEXT)["input_ids"]
    cut, first = whole.truncate_at(len(tokens) - 2), whole.with_readout(Readout("cls"))
    assert (whole.truncate_at(len(tokens)).encode([TEXT]) == whole.encode([TEXT])).all()
    assert not np.allclose(cut.encode([TEXT]), whole.encode([TEXT]))
    assert (first.encode([TEXT]) == load_encoder(f"hf:{folders['bert']}@cls").encode([TEXT])).all()
    assert cut._model is first._model is whole._model
    assert len({each.identity for each in (whole, cut, first)}) == 3


def test_the_name_has_the_readout_and_not_the_path(folders):
    assert load_encoder(f"hf:{folders['bert']}@cls:2").name == "hf:bert@cls:2"
    names = {load_encoder(f"hf:{folders['bert']}@{readout}").identity for readout in ("mean", "cls", "mean:1")}
    assert len(names) == 3


@pytest.mark.parametrize(
    ("readout", "message"),
    [
        ("@sum", r"names the pooling 'sum'; expected one of mean, last, cls, max"),
        ("@mean:9", rf"names layer 9; the model has {LAYERS} layers"),
    ],
)
def test_a_readout_that_the_model_does_not_have(folders, readout, message):
    with pytest.raises(InputError, match=message):
        load_encoder(f"hf:{folders['bert']}{readout}").encode([TEXT])


def test_a_model_without_a_cls_token_says_so(folders):
    with pytest.raises(InputError, match="names the CLS token, and this model has none; write @last or @mean"):
        load_encoder(f"hf:{folders['gpt2']}@cls").encode([TEXT])


def test_a_folder_whose_name_has_an_at_sign(tmp_path):
    folder = tiny_checkpoint("bert", tmp_path / "mine@work")
    assert load_encoder(f"hf:{folder}").encode([TEXT]).shape == (1, 32)
    assert load_encoder(f"hf:{folder}@cls").name == "hf:mine@work@cls"


def test_half_precision_is_near_and_another_encoder(folders):
    whole, half = (load_encoder(f"hf:{folders['bert']}", precision=precision) for precision in ("fp32", "bf16"))
    ours, theirs = whole.encode([TEXT])[0], half.encode([TEXT])[0]
    assert ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs) > 0.99
    assert whole.identity != half.identity


def test_another_device_is_used_and_gives_another_encoder(folders, monkeypatch):
    on_card, here = (load_encoder(f"hf:{folders['bert']}", device=device) for device in ("cuda", "cpu"))
    assert on_card.identity != here.identity
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match=r"'cuda', which torch .* does not find"):
        on_card.encode([TEXT])
    chosen = []
    monkeypatch.setattr(hugging_face, "choose_device", lambda name: chosen.append(name) or torch.device("cpu"))
    np.testing.assert_array_equal(on_card.encode([TEXT]), here.encode([TEXT]))
    assert "cuda" in chosen
    for unavailable in (on_card.white_box, on_card.copy_trainable):
        with pytest.raises(InputError, match=r"'cuda', and .* on the processor; use 'cpu'"):
            unavailable()


@pytest.mark.parametrize("spec", ["hashing:64", "word2vec@complaints"])
def test_an_encoder_without_a_network_has_no_device(spec):
    with pytest.raises(InputError, match=r"'cuda'; drop --device"):
        load_encoder(spec, device="cuda")


def test_a_model_that_does_not_load(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(InputError, match="does not load as a Hugging Face model"):
        load_encoder(f"hf:{tmp_path}").encode([TEXT])
    (tmp_path / "pytorch_model.bin").write_bytes(b"cos\nsystem\n")
    with pytest.raises(InputError, match="is a pickle, and pickles are never loaded"):
        load_encoder(f"hf:{tmp_path}").encode([TEXT])


def test_transformer_xl_is_the_only_one_not_available():
    """transformers 5 removed it; if it comes back, add it to the architectures under test."""
    import transformers

    assert OLD or not hasattr(transformers, "TransfoXLModel")
    assert {"bert", "xlnet", "openai-gpt", "gpt2", "roberta", "xlm", "ernie"} <= set(TOKENIZERS)


def test_a_layer_that_a_white_box_does_not_have(folders):
    box = white_box(load_encoder(f"hf:{folders['bert']}"))
    with pytest.raises(InputError, match=rf"'layer' parameter must be between 0 and {LAYERS}. Got 7 instead"):
        box.embed(box.word_matrix[:2][None], layer=7)


@pytest.mark.parametrize("family", ["hf", "st"])
def test_missing_weights_are_refused(tmp_path, family):
    from safetensors.torch import load_file, save_file

    folder = tiny_checkpoint("bert", tmp_path / "bert")
    weights = load_file(folder / "model.safetensors")
    incomplete = {name: tensor for name, tensor in weights.items() if "layer.1." not in name}
    save_file(incomplete, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"lacks 16 of its model's weights, encoder.layer.1.*would be random"):
        load_encoder(f"{family}:{folder}").encode([TEXT])


@pytest.mark.parametrize("family", ["hf", "st"])
def test_weights_cut_short_are_an_error_of_the_input(tmp_path, family):
    folder = tiny_checkpoint("bert", tmp_path / "bert")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:2000])
    with pytest.raises(InputError, match="does not load as a"):
        load_encoder(f"{family}:{folder}").encode([TEXT])


def test_code_inside_a_model_folder_is_never_run(tmp_path):
    folder = tiny_checkpoint("bert", tmp_path / "bert")
    config = json.loads((folder / "config.json").read_text())
    config.update(model_type="mine", auto_map={"AutoConfig": "code.Mine", "AutoModel": "code.Mine"})
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(InputError, match="does not load as a Hugging Face model"):
        load_encoder(f"hf:{folder}").encode([TEXT])
    assert not (tmp_path / "ran").exists()


def test_a_pickle_of_another_program_does_not_matter(tmp_path):
    folder = tiny_checkpoint("bert", tmp_path / "bert")
    (folder / "openvino").mkdir()
    (folder / "openvino" / "openvino_model.bin").write_bytes(b"weights")
    assert load_encoder(f"hf:{folder}").encode([TEXT]).any()
